/** Makes sure that there is a Chromium to test in. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  join(process.env['PROGRAMFILES'] ?? 'C:\\Program Files', 'Google\\Chrome\\Application\\chrome.exe'),
];

const DISABLED_FEATURES = [
  // Two hidden pages in each window, for what its address bar would suggest: a process more, and a third of a second.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // This list takes the place of Playwright's own, of which these matter here.
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Chromium refuses its sandbox as root; the other switches keep it from looking for hosts of its own, or for devices. */
export const CHROMIUM_ARGS: readonly string[] = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  // Else a program draws what a graphics card would.
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
];

/**
 * The one in `CHROME_PATH`, else an installed one.
 *
 * @throws {Error} one sentence that says what to do
 */
export function findChromium(): string {
  const wanted = process.env['CHROME_PATH'];
  if (wanted) {
    if (isExecutable(wanted)) return wanted;
    throw new Error(`CHROME_PATH is "${wanted}", but no program is there.`);
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES];
  const found = candidates.find(isExecutable);
  if (found) return found;
  throw new Error(
    'No Chromium or Chrome was found: apt-get install chromium, as root, or its program in CHROME_PATH.',
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
