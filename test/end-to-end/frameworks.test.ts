/** A dialer in React and in Vue, in a page built as theirs are. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test, type Page } from '@playwright/test';
import { build } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
let script: string;

test.beforeAll(async () => {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: here('frameworks-page.ts'), formats: ['iife'], name: 'unused' },
    },
  });
  const [file] = Array.isArray(output) ? output : [];
  script = file?.output[0].code ?? '';
});

async function openPage(page: Page): Promise<void> {
  await page.route('http://127.0.0.1/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><body></body>' }),
  );
  await page.goto('http://127.0.0.1/');
  await page.addScriptTag({ content: script });
}

for (const framework of ['React', 'Vue'] as const) {
  test(`a dialer unmounted by ${framework} in the middle of a call tells once how that ended`, async ({
    page,
  }) => {
    await openPage(page);
    const outcomes = await page.evaluate((name) => window.unmountInCall(name), framework);
    assert.deepEqual(outcomes, ['cancelled']);
  });

  test(`a dialer that ${framework} renders forty times while it connects signs in once`, async ({ page }) => {
    await openPage(page);
    assert.equal(await page.evaluate((name) => window.renderOften(name), framework), 1);
  });
}
