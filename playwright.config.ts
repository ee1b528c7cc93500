/**
 * End to end and conformance: `npx playwright test`, `npx playwright test --headed --grep "402"`,
 * `npx playwright test --project conformance`, `npx playwright show-report`. `LONG=1`, as `npm run check` sets it, plays those with the tag `@long`, too.
 */
import { defineConfig } from '@playwright/test';
import { LAUNCH as CONFORMANCE_LAUNCH } from './test/conformance/browser.ts';
import { LAUNCH } from './test/end-to-end/browser.ts';

const isLong = process.env['LONG'] === '1';

export default defineConfig({
  testMatch: /\.test\.ts$/,
  timeout: 60_000,
  workers: 2,
  ...(!isLong && { grepInvert: /@long/ }),
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['junit', { outputFile: 'reports/e2e.xml' }]],
  use: {
    launchOptions: LAUNCH,
    screenshot: 'only-on-failure',
    // A sixth of the time, for what nearly every test throws away.
    trace: isLong || process.env['CI'] !== undefined ? 'retain-on-failure' : 'off',
  },
  projects: [
    { name: 'build', testDir: 'test/end-to-end', testMatch: 'build.setup.ts' },
    { name: 'end-to-end', testDir: 'test/end-to-end', dependencies: ['build'] },
    {
      name: 'conformance',
      testDir: 'test/conformance',
      use: { launchOptions: CONFORMANCE_LAUNCH },
    },
  ],
});
