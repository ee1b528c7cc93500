/** The browser tests: in Chromium, with a microphone that beeps. */
import type { TestRunnerConfig } from '@web/test-runner';
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

export function browserConfig(files: readonly string[], chromium: string): Partial<TestRunnerConfig> {
  return {
    rootDir: '.',
    files: [...files],
    watch: false,
    nodeResolve: { exportConditions: ['browser', 'development'] },
    plugins: [esbuildPlugin({ ts: true, target: 'es2022', tsconfig: 'tsconfig.json' })],
    browsers: [chromeLauncher({ launchOptions: { executablePath: chromium, args } })],
    concurrency: 1,
    filterBrowserLogs: ({ args: [first] }) => !String(first).includes('Lit is in dev mode'),
    testFramework: { config: { timeout: 5000 } },
  };
}
