/** A dialer in React and in Vue, in a page built as theirs are. */
import { fileURLToPath } from 'node:url';
import { expect, test as base, type Page } from '@playwright/test';
import { build } from 'vite';
import { EVENT_NAMES } from '../../demo/playground/manifest.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const test = base.extend<{ app: Page }, { script: string }>({
  script: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const output = await build({
        configFile: false,
        logLevel: 'error',
        publicDir: false,
        // In production, StrictMode mounts once.
        define: { 'process.env.NODE_ENV': '"development"' },
        build: {
          write: false,
          target: 'es2022',
          lib: { entry: here('frameworks-page.ts'), formats: ['iife'], name: 'unused' },
        },
      });
      const [file] = Array.isArray(output) ? output : [];
      await use(file?.output[0].code ?? '');
    },
    { scope: 'worker' },
  ],
  app: async ({ page, script }, use) => {
    await page.route('http://127.0.0.1/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><body></body>' }),
    );
    await page.goto('http://127.0.0.1/');
    await page.addScriptTag({ content: script });
    await use(page);
  },
});

for (const framework of ['React', 'Vue'] as const) {
  test(`a dialer unmounted by ${framework} in the middle of a call tells once how that ended`, async ({
    app,
  }) => {
    expect(await app.evaluate((name) => window.unmountInCall(name), framework)).toEqual(['cancelled']);
  });

  test(`a listener in ${framework} is given each event of the manifest, once`, async ({ app }) => {
    const heard = await app.evaluate(([name, all]) => window.listen(name, all), [
      framework,
      EVENT_NAMES,
    ] as const);
    expect(EVENT_NAMES).not.toEqual([]);
    expect(heard).toEqual(EVENT_NAMES.map((name) => `${name}: of ${name}`));
  });

  test(`an id that ${framework} renders again is for one call, and stays a property of the page's`, async ({
    app,
  }) => {
    const ids = ['order42', 'order42', 'order43', 'order42'];
    const sent = await app.evaluate(([name, all]) => window.callByIds(name, all), [framework, ids] as const);
    expect(sent).toEqual(['order42', undefined, 'order43', 'order42', 'order42']);
  });

  test(`a floating dialer in ${framework} is open as the app and the agent last said`, async ({ app }) => {
    expect(await app.evaluate((name) => window.openAndClose(name), framework)).toEqual([
      'at first: false, false, false',
      'told true',
      'the agent opens it: true, true, true',
      'rendered again: true, true, true',
      'told false',
      'the agent closes it: false, false, false',
      'told true',
      'the app opens it: true, true, true',
      'told false',
      'the app closes it: false, false, false',
    ]);
  });

  test(`a dialer in ${framework} speaks the words that the app last gave`, async ({ app }) => {
    expect(await app.evaluate((name) => window.changeWords(name), framework)).toEqual([
      'Off',
      'Off',
      'Not on',
      'Not connected',
    ]);
  });

  for (const as of ['app', 'script'] as const) {
    test(`a sign-in that the ${as} has begun is used once by ${framework}, into what a server has written`, async ({
      app,
    }) => {
      const asked = await app.evaluate((how) => window.signInFirst(...how), [framework, as] as const);
      expect(asked).toEqual(['session']);
    });
  }
}
