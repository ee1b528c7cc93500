/** The manual as a page for a browser: its list of switches becomes links and buttons. */
import { marked } from 'marked';

const STYLE = `
  :root {
    color-scheme: light dark;
    --text: light-dark(#1b1d22, #f1f3f7);
    --muted: light-dark(#5b606c, #a8b0be);
    --border: light-dark(#e2e2de, #323845);
    --accent: light-dark(#1d4ed8, #93b4ff);
    --sunken: light-dark(#f1f1ee, #1f242d);
    font: 15px/1.5 system-ui, sans-serif;
    color: var(--text);
    background: light-dark(#ffffff, #14171d);
  }
  body { max-width: 960px; margin: 0 auto; padding: 24px 16px 64px; overflow-wrap: anywhere; }
  h1, h2 { line-height: 1.2; letter-spacing: -0.01em; }
  h2 { margin: 40px 0 12px; }
  a { color: var(--accent); text-underline-offset: 2px; }
  code { font: 13px ui-monospace, Menlo, Consolas, monospace; }
  :not(pre) > code, pre { padding: 1px 4px; border-radius: 4px; background: var(--sunken); }
  a > code, button > code { padding: 0; background: none; }
  pre { padding: 12px; white-space: pre-wrap; }
  li { margin: 6px 0; }
  table { width: 100%; border-collapse: collapse; }
  th, td { width: 62%; padding: 8px 12px 8px 0; border-bottom: 1px solid var(--border); text-align: start; vertical-align: top; }
  :is(th, td):first-child { width: 38%; }
  th { font-weight: 600; color: var(--muted); }
  button { padding: 6px 10px; border: 1px solid var(--accent); border-radius: 6px; color: var(--accent); background: none; text-align: start; cursor: pointer; }
  button:hover { background: var(--sunken); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  output { display: block; color: var(--muted); }
`;

/** The switches accept only JSON, which a form cannot send. */
const SCRIPT = `
  for (const button of document.querySelectorAll('button')) {
    button.addEventListener('click', async () => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(button.value, { method: 'POST', headers, body: '{}' }).catch(() => undefined);
      const time = new Date().toLocaleTimeString('en-GB');
      const result = answer?.ok ? 'Done' : answer ? 'Refused with ' + answer.status : 'The sandbox does not respond';
      button.nextElementSibling.value = result + ', ' + time;
    });
  }
`;

/** @param markdown our own README: its HTML is not sanitized */
export async function manualPage(markdown: string): Promise<string> {
  const text = await marked.parse(markdown);
  const body = text
    // A GET without parameters becomes a link, a POST with an empty body a button.
    .replaceAll(/<code>GET (\/sandbox\/[^:<]+)<\/code>/g, '<a href="$1"><code>GET $1</code></a>')
    .replaceAll(
      /<code>POST (\/sandbox\/[^:<]+)<\/code> <code>\{\}<\/code>/g,
      '<button type="button" value="$1"><code>POST $1</code></button><output></output>',
    );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="description" content="What the sandbox can do: numbers to dial, switches, faults and settings." />
    <title>Sandbox · partner-dialer</title>
    <link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Ccircle cx='4' cy='4' r='4' fill='%231d4ed8'/%3E%3C/svg%3E" />
    <style>${STYLE}</style>
  </head>
  <body>
    <main>${body}</main>
    <script type="module">${SCRIPT}</script>
  </body>
</html>
`;
}
