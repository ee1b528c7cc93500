/** The page of all states: what can be drawn is drawn, whole, and no press ever lands on the opposite of what it was aimed at. */
/* oxlint-disable unicorn/consistent-function-scoping -- what runs in the page is given to it whole */
import { flaws } from './readable.ts';
import { expect, LONG, test } from './fixtures.ts';
import { Site, type AgentPage } from './site.ts';
import { openStates } from './states-page.ts';

/** No language of the file: the page draws it in English words that are 40 % longer. */
const LONGER = 'de';
/** Each drawn once for all that is to be seen in it. */
const PAGES = [
  { lang: 'en', theme: 'light', width: 280 },
  { lang: 'en', theme: 'light', width: 320 },
  { lang: 'en', theme: 'light', width: 390 },
  { lang: 'vi', theme: 'dark', width: 280 },
  { lang: 'vi', theme: 'dark', width: 320 },
  { lang: 'vi', theme: 'dark', width: 390 },
  { lang: 'en', theme: 'dark', width: 320 },
  { lang: 'vi', theme: 'light', width: 320 },
  { lang: LONGER, theme: 'light', width: 280 },
  { lang: LONGER, theme: 'light', width: 320 },
  { lang: LONGER, theme: 'dark', width: 280 },
  { lang: LONGER, theme: 'dark', width: 320 },
];
/** Of the widths the one at which axe is asked of the languages in the file, which takes seconds. */
const READ_AT = 320;
/** The narrowest card, the usual one, the widest. */
const NAMED_AT = [280, 320, 400];

for (const { lang, theme, width } of PAGES) {
  test.describe(`the page of all states, in ${lang} and ${theme} at ${width} px`, LONG, () => {
    let site: Site;
    let agent: AgentPage;
    test.beforeAll(async ({ demo, browser }) => {
      site = new Site(demo.origin, browser);
      agent = await openStates(site, `lang=${lang}&theme=${theme}&width=${width}`);
    });
    test.afterAll(() => site.close());

    test('gives each of its states a name of its own, and connects to nothing', async () => {
      const names = await agent.page.$$eval('partner-dialer', (dialers) =>
        dialers.map(
          (dialer) =>
            `${dialer.closest('section')?.querySelector('h2')?.textContent}: ${dialer.dataset['state']}`,
        ),
      );
      expect(names).toEqual([...new Set(names)]);
      const services = /^\/(?:dialer|vendor|sandbox|ws)(?:\/|$)/;
      const asked = agent.requested.filter((url) => services.test(new URL(url).pathname));
      expect(asked).toEqual([]);
    });

    test('shows the number that was typed', async () => {
      const field = agent.page.locator('[data-state="ready, a number typed"] input.number');
      await expect(field).toHaveValue('0912345678');
    });

    if (width === READ_AT || lang === LONGER)
      test('can be read by everybody', async () => {
        expect(await flaws(agent.page)).toEqual([]);
      });

    test('cuts no text and wraps no status', async () => {
      // Two lines are the room for the status of a language whose words are not ours to shorten.
      const most = lang === LONGER ? 44 : 22;
      const cut = await agent.page.evaluate((highest) => {
        const found: string[] = [];
        for (const dialer of document.querySelectorAll<HTMLElement>('partner-dialer')) {
          const root = dialer.shadowRoot;
          const card = root?.querySelector('.card')?.getBoundingClientRect();
          const bubble = root?.querySelector('.bubble')?.getBoundingClientRect();
          for (const element of root?.querySelectorAll<HTMLElement>('.card *, .bubble *') ?? []) {
            // A member's name gives way to the status; what is too long for a list or a field can be scrolled to.
            if (element.closest('svg, select, input, .who, .visually-hidden') || !element.checkVisibility())
              continue;
            // In a strip the name gives way to what happened, in a list the number, beside the keys of a call the name.
            if (element.closest('.whom, .what, .compact .party-name, .caller-number')) continue;
            // A name that no card has room for is cut.
            if (element.textContent?.includes('BìnhBình')) continue;
            // A question in words of the page's has the room that its two answers leave, at 280 px no more than two words a line.
            if (highest > 22 && element.matches('.strip p')) continue;
            const frame = element.closest('.bubble') ? bubble : card;
            if (
              !frame ||
              (element.matches('.bubble .text') && dialer.dataset['state']?.includes('long name'))
            )
              continue;
            const own = [...element.childNodes].some(
              ({ nodeType, textContent }) => nodeType === 3 && textContent?.trim(),
            );
            if (!own) continue;
            const text = document.createRange();
            text.selectNodeContents(element);
            const { left, right, height } = text.getBoundingClientRect();
            const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
            const clips =
              getComputedStyle(element).overflowY !== 'visible' && scrollHeight > clientHeight + 2;
            const isCut = clientWidth > 0 && (scrollWidth > clientWidth + 1 || clips);
            const isWrapped = element.matches('.word') && height > highest;
            if (isCut || isWrapped || right > frame.right || left < frame.left)
              found.push(`${dialer.dataset['state']}: ${element.textContent?.trim()}`);
          }
        }
        return found;
      }, most);
      expect(cut).toEqual([]);
    });

    // A rule for the length of our own words.
    if (lang !== LONGER)
      test('says how a call ended in two lines at most, and breaks no name that fits into a line', async () => {
        const long = await agent.page.evaluate(() => {
          const LINES: Readonly<Record<string, number>> = {
            '.strip .result': 2,
            '.activity span': 1,
            '.low-balance :is(p, .link)': 1,
            '.hotline > *': 1,
            '.entry .who': 1,
            '.close span': 1,
          };
          return Object.entries(LINES).flatMap(([selector, most]) =>
            [...document.querySelectorAll<HTMLElement>('partner-dialer')].flatMap((dialer) =>
              [...(dialer.shadowRoot?.querySelectorAll(selector) ?? [])]
                .filter((element) => {
                  if (element.textContent?.includes('BìnhBình')) return false;
                  const text = document.createRange();
                  text.selectNodeContents(element);
                  const line = Number.parseFloat(getComputedStyle(element).lineHeight);
                  return text.getBoundingClientRect().height > (most + 0.5) * line;
                })
                .map((element) => `${dialer.dataset['state']}: ${element.textContent?.trim()}`),
            ),
          );
        });
        expect(long).toEqual([]);
      });

    test('never puts what begins a call where what ends one may be, nor the other way round', async () => {
      const clashes = await agent.page.evaluate(() => {
        const BEGIN = '[part~="call-button"], .strip .link, button.entry';
        const END = '[part~="hangup-button"]';
        const all = [...document.querySelectorAll<HTMLElement>('partner-dialer')].map((dialer) => {
          const floating = dialer.getAttribute('floating');
          // A bubble is as wide as what is in it, and fixed within the figure.
          const origin = (floating === null ? dialer : dialer.parentElement)?.getBoundingClientRect();
          const places = (selector: string) =>
            [...(dialer.shadowRoot?.querySelectorAll(selector) ?? [])].map((button) => {
              const { left, right, top, bottom } = button.getBoundingClientRect();
              const [x, y] = [origin?.left ?? 0, origin?.top ?? 0];
              // What a list has scrolled away cannot be pressed.
              const end = Math.min(bottom, button.closest('ul')?.getBoundingClientRect().bottom ?? bottom);
              return { left: left - x, right: right - x, top: top - y, bottom: end - y };
            });
          return { name: dialer.dataset['state'], floating, begin: places(BEGIN), end: places(END) };
        });
        const found: string[] = [];
        for (const one of all) {
          for (const other of all.filter(({ floating }) => floating === one.floating)) {
            for (const a of one.begin) {
              const isOver = other.end.some(
                (b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom,
              );
              if (isOver) found.push(`${one.name} and ${other.name}`);
            }
          }
        }
        return found;
      });
      expect(clashes).toEqual([]);
    });

    test('keeps the height of its card from the keypad through a call and back', async () => {
      const heights = await agent.page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('partner-dialer')].flatMap((dialer) => {
          const card = dialer.shadowRoot?.querySelector('.card:has(.tall)');
          return card
            ? [{ name: dialer.dataset['state'] ?? '', height: card.getBoundingClientRect().height }]
            : [];
        }),
      );
      const [usual] = heights;
      const others = heights.filter(({ height }) => height !== usual?.height).map(({ name }) => name);
      const grows = lang === LONGER ? /the list of keys open|everything at once/ : /the list of keys open/;
      expect(others.filter((name) => !grows.test(name))).toEqual([]);
      expect(heights.length, `${heights.length} cards of that height`).toBeGreaterThan(60);
    });
  });
}

test('a name of 300 letters, wherever one can stand, leaves every button in the card and the card as wide as it was', async ({
  site,
}) => {
  const { page } = await openStates(site, 'lang=vi');
  for (const width of NAMED_AT) {
    const { found, measured } = await page.evaluate((wide) => {
      document.documentElement.style.setProperty('--partner-dialer-width', `${wide}px`);
      const cards = [...document.querySelectorAll<HTMLElement>('partner-dialer')].flatMap((dialer) => {
        const card = dialer.shadowRoot?.querySelector('.card');
        return card ? [{ card, state: dialer.dataset['state'] }] : [];
      });
      const clips = (element: Element) => getComputedStyle(element).overflowX !== 'visible';
      const outside = cards.flatMap(({ card, state }) => {
        const frame = card.getBoundingClientRect();
        const all = [...card.querySelectorAll<HTMLElement>('*')].filter(
          (each) => each.checkVisibility() && !each.closest('.visually-hidden, svg, option'),
        );
        const gone = all.filter((element) => {
          const box = element.getBoundingClientRect();
          const texts = clips(element)
            ? []
            : [...element.childNodes].filter(({ nodeType }) => nodeType === 3);
          const boxes = texts.flatMap((text) => {
            const range = document.createRange();
            range.selectNodeContents(text);
            return [...range.getClientRects()];
          });
          let start = Math.min(box.left, ...boxes.map(({ left }) => left));
          let end = Math.max(box.right, ...boxes.map(({ right }) => right));
          // A button is whole; of a text that is cut, what is in sight counts.
          if (!element.matches('button, select, input'))
            for (let around = element.parentElement; around && around !== card; around = around.parentElement)
              if (clips(around)) {
                const { left: from, right: to } = around.getBoundingClientRect();
                [start, end] = [Math.max(start, from), Math.min(end, to)];
              }
          const isBelow = element.matches('button:not(ul *)') && box.bottom > frame.bottom + 0.5;
          const scrolls = element.matches('ul, .lists') && element.scrollWidth > element.clientWidth;
          return end > frame.right + 0.5 || start < frame.left - 0.5 || isBelow || scrolls;
        });
        const others = gone.map((each) => `${state}: ${each.className || each.localName}`);
        return frame.width === wide ? others : [...others, `${state}: ${frame.width} px wide`];
      });
      return { found: outside, measured: cards.length };
    }, width);
    expect(found, `at ${width} px`).toEqual([]);
    expect(measured).toBeGreaterThan(200);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
  }
});

test.describe('the page of all states on a phone', LONG, () => {
  test('is never wider than the screen, and has no key smaller than a finger', async ({ site }) => {
    const agent = await openStates(site, 'lang=vi&width=280');
    for (const width of [320, 390]) {
      await agent.page.setViewportSize({ width, height: 780 });
      const page = await agent.page.evaluate(() => document.documentElement.scrollWidth);
      expect(page).toBe(width);
    }
    const session = await agent.page.context().newCDPSession(agent.page);
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await session.send('Emulation.setEmitTouchEventsForMouse', { enabled: true, configuration: 'mobile' });
    const small = await agent.page.evaluate(() => {
      if (!matchMedia('(pointer: coarse)').matches) return ['no touch screen'];
      return [...document.querySelectorAll<HTMLElement>('partner-dialer')]
        .filter((dialer) =>
          [...(dialer.shadowRoot?.querySelectorAll('.key') ?? [])].some(
            (key) => key.getBoundingClientRect().height < 44,
          ),
        )
        .map(({ dataset }) => dataset['state']);
    });
    expect(small).toEqual([]);
  });
});
