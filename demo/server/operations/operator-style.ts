/** How the operator's page looks, in light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --page: light-dark(#f5f5f3, #0f1116); --surface: light-dark(#fff, #171a21);
  --text: light-dark(#1b1d22, #f1f3f7); --muted: light-dark(#5b606c, #a8b0be); --line: light-dark(#e2e2de, #2b303a);
  --link: light-dark(#1d4ed8, #93b4ff); --good: light-dark(#166534, #86efac); --wait: light-dark(#854d0e, #fcd34d);
  --bad: light-dark(#b91c1c, #fca5a5); }
* { box-sizing: border-box; margin: 0; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 4rem;
  color: var(--text); background: var(--page); }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; justify-content: space-between; }
h1 { font-size: 1.4rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p, small, caption { color: var(--muted); }
a { color: var(--link); }
.sums { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 1rem; margin-top: 1.25rem; }
.sums div, .table { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; }
.sums div { padding: .875rem 1rem; }
.sums h2 { font-size: 1rem; font-weight: 500; margin: 0; }
.sum { font-size: 1.6rem; font-weight: 600; color: var(--text); font-variant-numeric: tabular-nums; }
meter { width: 100%; height: .9rem; display: block; }
.table { overflow-x: auto; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: start; padding: .75rem 1rem .5rem; }
th, td { text-align: start; vertical-align: top; padding: .5rem 1rem; white-space: nowrap;
  border-top: 1px solid var(--line); font-variant-numeric: tabular-nums; }
thead th { font-weight: 500; color: var(--muted); }
tbody th { font-weight: 600; }
.vnd { text-align: end; }
.wide { white-space: normal; min-width: 24rem; }
.wide::first-letter { text-transform: uppercase; }
.state { font-weight: 600; }
.state::before { content: "● "; }
.good { color: var(--good); } .wait { color: var(--wait); } .bad { color: var(--bad); } .none { color: var(--muted); }
`;
