/**
 * The element's tests: `npx wtr`, `npx wtr --files 'test/ui/*.test.ts' --watch`, `npx wtr --group dialer`, `npx wtr --coverage`.
 * A page has the focus, the pointer and the locks of its browser to itself: each group has a browser of its own, with one page.
 */
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { junitReporter } from '@web/test-runner-junit-reporter';
import puppeteer from 'puppeteer-core';

const chromium = () =>
  chromeLauncher({
    concurrency: 1,
    launchOptions: {
      args: [
        // Chromium refuses its sandbox as root.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        '--autoplay-policy=no-user-gesture-required',
      ],
    },
  });

const FIREFOX = process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr';
const firefox = () =>
  chromeLauncher({
    concurrency: 1,
    puppeteer,
    launchOptions: {
      browser: 'firefox',
      executablePath: FIREFOX,
      extraPrefsFirefox: {
        'media.navigator.streams.fake': true,
        'permissions.default.microphone': 1,
        'media.autoplay.default': 0,
        // A machine without a sound card; else no sound passes through a page.
        'media.cubeb.force_mock_context': true,
      },
    },
  });

const GROUPS = [
  { name: 'element', files: ['test/{element,page,testing}/**/*.test.ts'] },
  { name: 'dialer', files: ['test/{broker,devices,dialer,numbers,quality,sdk}/**/*.test.ts'] },
  { name: 'ui-2', files: ['test/ui/[m-z]*.test.ts'] },
  { name: 'ui-1', files: ['test/ui/[a-l]*.test.ts'] },
  { name: 'model', files: ['test/model/*.test.ts'] },
];

/** The tests of what a browser can do otherwise than Chromium. */
const IN_FIREFOX = [
  { name: 'firefox-ui', files: ['test/ui/*.test.ts'] },
  { name: 'firefox', files: ['test/{devices,dialer/connection,element,page,sdk,testing}/**/*.test.ts'] },
];

/** With `LONG=1`, and by `npx wtr --group firefox`. */
function firefoxGroups() {
  const isNamed = process.argv.some((argument) => argument.startsWith('firefox'));
  if (!isNamed && process.env['LONG'] !== '1') return [];
  if (existsSync(FIREFOX)) return IN_FIREFOX.map((group) => ({ ...group, browsers: [firefox()] }));
  const missing = `No Firefox is at ${FIREFOX}: apt-get install firefox-esr, as root, or its program in FIREFOX_PATH.`;
  if (isNamed || process.env['CI']) throw new Error(missing);
  console.log(`The element is not tested in Firefox. ${missing}`);
  return [];
}
/** Else the groups would run beside the files that were asked for. */
const areFilesNamed = process.argv.some((argument) => argument.endsWith('.test.ts'));

/** How many sequences `test/model` plays, and from which seed and path. */
const MODEL = {
  MODEL_RUNS: process.env['LONG'] === '1' ? '300' : '24',
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('MODEL_'))),
};

export default {
  groups: areFilesNamed
    ? []
    : // They start in this order, the longest first: started last, it would run alone on one core.
      [...firefoxGroups(), ...GROUPS.map((group) => ({ ...group, browsers: [chromium()] }))],
  browsers: [chromium()],
  // One for each core: with more, presses come late and the model does not finish in time.
  concurrentBrowsers: 2,
  // By itself the runner chooses the first free port from 8000 on, and listens later: two runs at once choose the same.
  port: randomInt(20_000, 32_000),
  nodeResolve: { exportConditions: ['browser', 'development'] },
  plugins: [
    esbuildPlugin({
      ts: true,
      target: 'es2022',
      tsconfig: fileURLToPath(new URL('tsconfig.json', import.meta.url)),
      define: { 'import.meta.env': JSON.stringify(MODEL) },
    }),
  ],
  // Some tests request a sound or an address that does not exist: the runner would print each 404. It still prints missing modules.
  middleware: [
    async (context, next) => {
      await next();
      if (context.status === 404 && !/\.(?:ts|js|mjs)$/.test(context.path)) context.status = 410;
    },
  ],
  testFramework: { config: { timeout: 15_000 } },
  testsFinishTimeout:
    300_000 +
    Number(process.env['MODEL_RUNS'] ?? 0) * 1000 +
    Number(process.env['MODEL_PRESSES'] ?? 0) * 5000,
  coverageConfig: { include: ['src/**'], reporters: ['text-summary', 'lcov'] },
  // Said by tests of what is wrong in a page, and by Lit's development build.
  filterBrowserLogs: ({ args }) => !/^(?:<partner-dialer>|Lit is in dev mode)/.test(String(args[0])),
  reporters: [defaultReporter(), junitReporter({ outputPath: 'reports/browser.xml' })],
};
