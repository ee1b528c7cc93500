/** How the tests start Chromium. */
import { chromium, type Browser, type LaunchOptions } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from '../chromium.ts';

export const LAUNCH: LaunchOptions = {
  executablePath: findChromium(),
  args: [
    ...CHROMIUM_ARGS,
    // A machine whose only network is loopback has no other address to send audio from.
    '--allow-loopback-in-peer-connection',
    ...(process.env['SDK_FILE'] ? ['--ignore-certificate-errors'] : []),
  ],
};

/** For programs and for tests of Node; a test of Playwright has its own. */
export function launchBrowser(...args: readonly string[]): Promise<Browser> {
  return chromium.launch({ ...LAUNCH, args: [...(LAUNCH.args ?? []), ...args] });
}
