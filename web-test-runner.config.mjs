import { esbuildPlugin } from '@web/dev-server-esbuild';
import { chromeLauncher } from '@web/test-runner-chrome';

/** Chromium refuses its sandbox as root; the other switches keep it from looking for hosts of its own. */
const args = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
];

export default {
  rootDir: '.',
  files: ['test/*.test.ts', 'test/{broker,dialer,i18n,page,sdk,ui}/**/*.test.ts'],
  nodeResolve: { exportConditions: ['browser', 'development'] },
  plugins: [esbuildPlugin({ ts: true, target: 'es2022', tsconfig: 'tsconfig.json' })],
  browsers: [chromeLauncher({ launchOptions: { executablePath: process.env.CHROME_PATH, args } })],
  concurrency: 1,
  filterBrowserLogs: ({ args: [first] }) => !String(first).includes('Lit is in dev mode'),
  testFramework: { config: { timeout: 5000 } },
};
