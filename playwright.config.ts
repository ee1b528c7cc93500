/**
 * End to end, and the SDK in front of the sandbox's exchange: `npx playwright test --project=end-to-end`,
 * `npx playwright test --project=conformance`, `npx playwright test --headed --grep "402"`, `npx playwright show-report`. `LONG=1`, as `npm run check` sets it, plays those with the tag `@long` and `LONG_FILES`, too.
 */
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from './test/chromium.ts';
import { LAUNCH } from './test/end-to-end/browser.ts';

const isLong = process.env['LONG'] === '1';

/** Played with `LONG=1` alone, as the tag `@long`: what the tests of `src` and of the documents hold in short. */
const LONG_FILES =
  /\/(?:frameworks|leaving|microphone|offline|operator|pages|partner-page|sandbox-page|socket-faults|sound|styling)\./;

export default defineConfig({
  testMatch: /\.test\.ts$/,
  timeout: 60_000,
  expect: { timeout: 15_000, toPass: { timeout: 20_000, intervals: [100] } },
  workers: 2,
  ...(!isLong && { grepInvert: /@long/ }),
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['junit', { outputFile: 'reports/e2e.xml' }]],
  use: {
    launchOptions: LAUNCH,
    screenshot: 'only-on-failure',
    // A trace takes a sixth of the time, and nearly every test throws it away.
    trace: isLong || process.env['CI'] !== undefined ? 'retain-on-failure' : 'off',
  },
  projects: [
    { name: 'build', testDir: 'test/end-to-end', testMatch: 'build.setup.ts' },
    {
      name: 'end-to-end',
      testDir: 'test/end-to-end',
      testIgnore: isLong ? [] : LONG_FILES,
      dependencies: ['build'],
    },
    {
      name: 'conformance',
      testDir: 'demo/sandbox/test/sdk',
      expect: { timeout: 10_000 },
      use: {
        trace: 'off',
        // The exchange on `wss` has a certificate of its own.
        ignoreHTTPSErrors: true,
        launchOptions: {
          executablePath: findChromium(),
          args: [
            ...CHROMIUM_ARGS,
            '--allow-loopback-in-peer-connection',
            '--ignore-certificate-errors',
            '--disable-quic',
            // An SDK under test may have addresses built in: its sounds, a STUN server.
            '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
          ],
        },
      },
    },
  ],
});
