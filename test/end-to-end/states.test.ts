/** The page of all states: what can be drawn is drawn, whole, and no press ever lands on the opposite of what it was aimed at. */
/* oxlint-disable unicorn/consistent-function-scoping -- what runs in the page is given to it whole */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { openSite, type Site } from './site.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const LEAST_STATES = 30;
const DRAWN_MS = 20_000;

let site: Site;
before(async () => {
  site = await openSite();
});
after(() => site.close());

/** Resolves once each of them is drawn. */
async function open(query: string) {
  const agent = await site.open(`/states.html?${query}`);
  await agent.page.waitForFunction(
    (least) => {
      const dialers = [...document.querySelectorAll('partner-dialer')];
      const isDrawn = (dialer: Element) =>
        dialer.shadowRoot?.querySelector('.card[aria-label*=": "], .bubble svg') != null;
      return dialers.length >= least && dialers.every(isDrawn);
    },
    LEAST_STATES,
    { timeout: DRAWN_MS },
  );
  return agent;
}

describe('the page of all states', () => {
  for (const lang of ['en', 'vi']) {
    for (const theme of ['light', 'dark']) {
      it(`can be read by everybody, in ${lang} and ${theme}, and connects to nothing`, async () => {
        const agent = await open(`lang=${lang}&theme=${theme}&width=320`);
        await agent.page.evaluate(await readFile(AXE, 'utf8'));
        const violations = await agent.page.evaluate(async () => {
          const axe = Reflect.get(globalThis, 'axe') as {
            run(root: Document): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }>;
          };
          const { violations: found } = await axe.run(document);
          return found.map(({ id, nodes }) => `${id}: ${JSON.stringify(nodes[0]?.target)}`);
        });
        assert.deepEqual(violations, []);
        const asked = agent.requested.filter((url) => /\/(?:dialer|vendor|sandbox|ws)\b/.test(url));
        assert.deepEqual(asked, []);
        await agent.closeWithoutErrors();
      });
    }

    for (const width of [280, 320, 390]) {
      it(`cuts no text and wraps no status, in ${lang} at ${width} px`, async () => {
        const agent = await open(`lang=${lang}&width=${width}`);
        const cut = await agent.page.evaluate(() => {
          const found: string[] = [];
          for (const dialer of document.querySelectorAll<HTMLElement>('partner-dialer')) {
            const root = dialer.shadowRoot;
            const card = root?.querySelector('.card')?.getBoundingClientRect();
            for (const element of root?.querySelectorAll<HTMLElement>('.card *') ?? []) {
              // A member's name gives way to the status; what is too long for a list or a field can be scrolled to.
              if (element.closest('svg, select, input, .who') || !card) continue;
              const own = [...element.childNodes].some(
                ({ nodeType, textContent }) => nodeType === 3 && textContent?.trim(),
              );
              if (!own) continue;
              const text = document.createRange();
              text.selectNodeContents(element);
              const { left, right, height } = text.getBoundingClientRect();
              const isCut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
              const isWrapped = element.matches('.word') && height > 22;
              if (isCut || isWrapped || right > card.right || left < card.left)
                found.push(`${dialer.dataset['state']}: ${element.textContent?.trim()}`);
            }
          }
          return found;
        });
        assert.deepEqual(cut, []);
        await agent.close();
      });
    }
  }

  it('never puts what begins a call where what ends one was, nor the other way round', async () => {
    for (const query of ['lang=en&width=320', 'lang=vi&width=280']) {
      const agent = await open(query);
      const clashes = await agent.page.evaluate(() => {
        const BEGIN = '[part~="call-button"], .strip .link';
        const END = '[part~="hangup-button"]';
        const places = (dialer: Element, selector: string) => {
          const origin = dialer.getBoundingClientRect();
          return [...(dialer.shadowRoot?.querySelectorAll(`.card :is(${selector})`) ?? [])].map((button) => {
            const { left, right, top, bottom } = button.getBoundingClientRect();
            return {
              left: left - origin.left,
              right: right - origin.left,
              top: top - origin.top,
              bottom: bottom - origin.top,
            };
          });
        };
        const dialers = [...document.querySelectorAll<HTMLElement>('partner-dialer')];
        const found: string[] = [];
        for (const [index, next] of dialers.entries()) {
          const previous = dialers[index - 1];
          if (!previous) continue;
          for (const [from, to] of [
            [BEGIN, END],
            [END, BEGIN],
          ] as const) {
            for (const a of places(previous, from)) {
              for (const b of places(next, to)) {
                const isOver = a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
                if (isOver) found.push(`${previous.dataset['state']} → ${next.dataset['state']}`);
              }
            }
          }
        }
        return found;
      });
      assert.deepEqual(clashes, []);
      await agent.close();
    }
  });
});
