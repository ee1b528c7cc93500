/** The look of the operator's page: the dialer's surfaces, type and radii. */
import { createHash } from 'node:crypto';

export const STYLE = `
:root {
  color-scheme: light dark;
  --surface: light-dark(#fff, #171a21); --text: light-dark(#171a21, #f1f3f7); --muted: light-dark(#565e6c, #a8b0be);
  --sunken: color-mix(in srgb, var(--text) 4%, var(--surface)); --accent: light-dark(#1d4ed8, #93b4ff);
  --good: light-dark(#166534, #86efac); --wait: light-dark(#854d0e, #fcd34d); --bad: light-dark(#b91c1c, #fca5a5);
  background: light-dark(#f3f4f6, #0d0f13); color: var(--text);
}
* { box-sizing: border-box; margin: 0; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 80rem; margin: 0 auto; padding: 24px 16px 64px; font-variant-numeric: tabular-nums; }
header, header div, form, nav { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; }
header { justify-content: space-between; }
h1 { font-size: 24px; font-weight: 600; }
h2 { font-size: 16px; font-weight: 600; }
p, small, caption, figcaption, thead, label { font-size: 13px; color: var(--muted); }
a { color: var(--accent); padding-block: 4px; }
section { background: var(--surface); border-radius: 15px; padding: 16px; margin-top: 16px; box-shadow: 0 1px 3px light-dark(#171a2114, transparent); }
section > * + * { margin-top: 8px; }
.now { list-style: none; padding: 0; }
.now li { padding-block: 2px; }
.now li::before, .state::before { content: "● "; }
.sums { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 12px; }
.sums > * + * { margin-top: 0; }
.sums div { background: var(--sunken); border-radius: 10px; padding: 12px 16px; }
.sums h2 { font-size: 13px; }
.sums .sum { font-size: 24px; font-weight: 600; color: var(--text); }
meter { width: 100%; display: block; }
input, button { font: inherit; color: inherit; background: var(--sunken); border: 1px solid transparent; border-radius: 10px; min-height: 44px; padding: 8px 16px; }
input { border-color: var(--muted); width: 12rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.table { overflow-x: auto; border-radius: 10px; }
table { border-collapse: collapse; width: 100%; }
caption, th, td { text-align: start; vertical-align: top; padding: 8px 12px; white-space: nowrap; }
th { font-weight: 500; }
tbody tr:nth-child(odd) { background: var(--sunken); }
.number { text-align: end; }
.wide { white-space: normal; min-width: 24rem; }
.wide::first-letter { text-transform: uppercase; }
.good { color: var(--good); }
.wait { color: var(--wait); }
.bad { color: var(--bad); font-weight: 600; }
.none { color: var(--muted); }
figure svg { width: 100%; max-width: 32rem; display: block; margin-bottom: 12px; font-size: 13px; }
figure text, figure path { fill: currentColor; }
figcaption { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 4px 0 8px; }
figcaption span::before { content: "■ "; }
figure .line { stroke: var(--muted); stroke-opacity: .3; }
.answered { color: light-dark(#1d4ed8, #93c5fd); }
.not-reached { color: light-dark(#b45309, #fbbf24); }
.no-money { color: light-dark(#be123c, #fb7185); }
.failed { color: light-dark(#57534e, #a8a29e); }
.paid { color: light-dark(#15803d, #86efac); }
.balance { color: light-dark(#6d28d9, #c4b5fd); }
@media (forced-colors: active) { section, .sums div, .table { border: 1px solid; } }
`;

/** The page has no other style, and no script. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
