/** The page of all states: what can be drawn is drawn, whole, and no press ever lands on the opposite of what it was aimed at. */
/* oxlint-disable unicorn/consistent-function-scoping -- what runs in the page is given to it whole */
import { LANGUAGES } from '../../src/i18n/words.ts';
import { flaws } from './readable.ts';
import { expect, LONG, test } from './fixtures.ts';
import { Site, type AgentPage } from './site.ts';
import { holes, openStates, places } from './states-page.ts';

// A trace of so many dialers takes longer than the test.
test.use({ trace: 'off' });

/** No language of the file: the page draws it in English words that are 40 % longer. */
const LONGER = 'de';
/** Each drawn once for all that is to be seen in it. */
const PAGES = [
  ...Object.keys(LANGUAGES).flatMap((lang, index) =>
    [280, 320, 390].map((width) => ({ lang, theme: index % 2 === 0 ? 'light' : 'dark', width })),
  ),
  { lang: LONGER, theme: 'light', width: 280 },
  { lang: LONGER, theme: 'light', width: 320 },
];
/** `npm test` draws one page: Vietnamese words are the longer ones of the file. */
const isAlways = ({ lang, width }: (typeof PAGES)[number]) => lang === 'vi' && width === 320;
/** In pixels. */
const LARGEST_HOLE = 96;
const FINGER = 44;
const IN_LINE = 24;
/** The narrowest card, the usual one, the widest. */
const NAMED_AT = [280, 320, 400];

for (const page of PAGES) {
  const { lang, theme, width } = page;
  test.describe(
    `the page of all states, in ${lang} and ${theme} at ${width} px`,
    isAlways(page) ? {} : LONG,
    () => {
      let site: Site;
      let agent: AgentPage;
      /** Words that are not ours to shorten. */
      const grows = (state: string) => lang === LONGER && state.includes('everything at once');
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

      test('can be read by everybody', LONG, async () => {
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
              if (element.closest('.whom, .what > :not(:last-child), .compact .party-name, .caller-number'))
                continue;
              if (highest > 22 && element.closest('.what')) continue;
              // A name that no card has room for is cut.
              if (element.textContent?.includes('BìnhBình')) continue;
              // A question in words of the page's has the room that its two answers leave, at 280 px no more than two words a line.
              if (highest > 22 && element.matches('.strip p')) continue;
              const button = element.closest('.primary, .secondary')?.getBoundingClientRect();
              const what = element.closest('.what')?.getBoundingClientRect();
              const frame = what ?? button ?? (element.closest('.bubble') ? bubble : card);
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
              '.entry': 2,
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
                    // After a call that was answered, the name has the second line.
                    const lines = dialer.dataset['state'] === 'answered' ? 1 : most;
                    return text.getBoundingClientRect().height > (lines + 0.5) * line;
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
            const boxes = (selector: string) =>
              [...(dialer.shadowRoot?.querySelectorAll(selector) ?? [])].map((button) => {
                const { left, right, top, bottom } = button.getBoundingClientRect();
                const [x, y] = [origin?.left ?? 0, origin?.top ?? 0];
                // What a list has scrolled away cannot be pressed.
                const end = Math.min(bottom, button.closest('ul')?.getBoundingClientRect().bottom ?? bottom);
                return { left: left - x, right: right - x, top: top - y, bottom: end - y };
              });
            return { name: dialer.dataset['state'], floating, begin: boxes(BEGIN), end: boxes(END) };
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

      test('has each button of a view at one place, and each view one height', async () => {
        const all = (await places(agent.page)).filter(({ state }) => !grows(state));
        const usual = new Map<string, string>();
        for (const { what, place } of all) if (!usual.has(what)) usual.set(what, place);
        const wrong = all
          .filter(({ what, place }) => place !== usual.get(what))
          .map(({ state, what, place }) => `${state}: ${what} at ${place}, not ${usual.get(what)}`);
        expect(wrong).toEqual([]);
        expect(all.filter(({ what }) => what === 'height').length).toBeGreaterThan(100);
      });

      test(`has no hole of more than ${LARGEST_HOLE} px`, async () => {
        expect(await holes(agent.page, LARGEST_HOLE)).toEqual([]);
      });

      test('shows a number of fifteen digits whole, smaller in two steps', async () => {
        const sizes = await agent.page.evaluate(() => {
          const field = document
            .querySelector('[data-state="ready, a number typed"]')
            ?.shadowRoot?.querySelector<HTMLInputElement>('input[part=number]');
          if (!field) throw new Error('no field');
          return ['0912345678', '123456789012345'].map((value) => {
            field.value = value;
            field.classList.toggle('long', value.length > 11);
            const { scrollWidth, clientWidth } = field;
            return { value, isCut: scrollWidth > clientWidth, size: getComputedStyle(field).fontSize };
          });
        });
        expect(sizes.filter(({ isCut }) => isCut)).toEqual([]);
        expect(sizes[0]?.size).not.toBe(sizes[1]?.size);
      });

      test('gives a finger room on everything it presses', async () => {
        const session = await agent.page.context().newCDPSession(agent.page);
        await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
        await session.send('Emulation.setEmitTouchEventsForMouse', {
          enabled: true,
          configuration: 'mobile',
        });
        const small = await agent.page.evaluate(
          ([finger, inLine]) => {
            if (!matchMedia('(pointer: coarse)').matches) return ['no touch screen'];
            return [...document.querySelectorAll<HTMLElement>('partner-dialer')].flatMap(
              ({ shadowRoot, dataset }) =>
                [
                  ...(shadowRoot?.querySelectorAll<HTMLElement>(
                    'button, select, label.check, input[part=number]',
                  ) ?? []),
                ]
                  .filter((each) => {
                    const { width: w, height: h } = each.getBoundingClientRect();
                    const isLink = each.matches('.link');
                    return each.checkVisibility() && (h < (isLink ? inLine : finger) || (!isLink && w < 36));
                  })
                  .map(
                    (each) =>
                      `${dataset['state']}: ${each.getAttribute('aria-label') ?? each.textContent?.trim()}`,
                  ),
            );
          },
          [FINGER, IN_LINE] as const,
        );
        const all = (await places(agent.page)).filter(({ state }) => !grows(state));
        const heights = new Set(all.filter(({ what }) => what === 'height').map(({ place }) => place));
        await session.send('Emulation.setTouchEmulationEnabled', { enabled: false });
        expect(small).toEqual([]);
        expect(heights.size, 'the height of the card under a finger').toBe(1);
      });
    },
  );
}

test(
  'a name of 300 letters, wherever one can stand, leaves every button in the card and the card as wide as it was',
  LONG,
  async ({ site }) => {
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
              for (
                let around = element.parentElement;
                around && around !== card;
                around = around.parentElement
              )
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
  },
);
