/** The manual in a browser: a page whose links and buttons work. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postJson, startSandbox } from '../servers.ts';

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('a browser gets a page with headings and tables, a program the same JSON as ever', async (t) => {
  const { origin } = await startSandbox(t);
  const page = await fetch(`${origin}/sandbox`, { headers: HTML });
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  const text = await page.text();
  assert.match(text, /<h2>Switches<\/h2>\s*<p>.*\s*<table>/);
  assert.doesNotMatch(text, /^(?:#|\||- )/m, 'no Markdown is left');
  for (const accept of ['*/*', 'application/json']) {
    const answer = await fetch(`${origin}/sandbox`, { headers: { Accept: accept } });
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/, accept);
    assert.equal(((await answer.json()) as { sandbox: unknown }).sandbox, 'partner-dialer');
  }
});

test('each switch without a value is a link or a button, and works', async (t) => {
  const { origin } = await startSandbox(t);
  const text = await (await fetch(`${origin}/sandbox`, { headers: HTML })).text();
  const links = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, path = '']) => path);
  assert.equal(links.length, 6);
  for (const path of links) assert.equal((await fetch(origin + path)).status, 200, path);
  const buttons = [...text.matchAll(/<button type="button" value="([^"]+)"/g)].map(([, path = '']) => path);
  assert.deepEqual(buttons, ['/sandbox/faults/clear', '/sandbox/reset']);
  for (const path of buttons) assert.equal((await postJson(origin + path, {})).status, 200, path);
});
