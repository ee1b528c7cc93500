/** What holds for the look of every state: the same places, no holes, words for the ear, contrast, room for a finger. */
/* oxlint-disable unicorn/consistent-function-scoping -- what runs in the page is given to it whole */
import type { Page } from '@playwright/test';
import { expect, LONG, test } from './fixtures.ts';
import { flaws } from './readable.ts';
import { Site, type AgentPage } from './site.ts';
import { openStates } from './states-page.ts';

const PAGES = ['en', 'vi'].flatMap((lang) => [280, 320, 390].map((width) => ({ lang, width })));
/** In pixels. */
const LARGEST_HOLE = 96;
const FINGER = 44;
const IN_LINE = 24;
const ACCENTS = ['#facc15', '#ec4899', '#111827', '#f9fafb', '#7c3aed'];

/** Where a button stands, from the corner of its card. */
interface Place {
  readonly state: string;
  readonly what: string;
  readonly place: string;
}

function places(page: Page): Promise<Place[]> {
  return page.evaluate(() => {
    const VIEWS = { keypad: 'form', incoming: '[part=incoming]', call: '[part=hangup-button]' };
    const BUTTONS = '[part=key], [part$=-button], [part=control], .secondary';
    return [...document.querySelectorAll<HTMLElement>('partner-dialer')].flatMap((dialer) => {
      const root = dialer.shadowRoot;
      const card = root?.querySelector('.card');
      const state = dialer.dataset['state'] ?? '';
      // The list of shortcuts was opened by the agent, and stands above everything.
      if (!root || !card || card.querySelector('.shortcuts')) return [];
      const view = Object.entries(VIEWS).find(([, selector]) => card.querySelector(selector))?.[0];
      if (!view) return [];
      const corner = card.getBoundingClientRect();
      const found = [...card.querySelectorAll(BUTTONS)].map((button) => {
        const { left, top, width, height } = button.getBoundingClientRect();
        const keys = card.querySelector('.compact') && button.matches('[part=key]') ? 'tone ' : '';
        const name =
          button.getAttribute('aria-label') ?? button.querySelector('span:last-of-type')?.textContent;
        const place = [left - corner.left, top - corner.top, width, height].map(Math.round).join(' ');
        return { state, what: `${view}: ${keys}${(name ?? '').replace(/^, .*/, '').trim()}`, place };
      });
      return [...found, { state, what: `${view}: height`, place: `${Math.round(corner.height)}` }];
    });
  });
}

/** Between two things that can be seen, one above the other, in pixels. */
function holes(page: Page, most: number): Promise<string[]> {
  return page.evaluate((limit) => {
    const ownBackground = (element: Element) => {
      const { backgroundColor, borderTopWidth } = getComputedStyle(element);
      return !/[,/] ?0\)$|transparent/.test(backgroundColor) || borderTopWidth !== '0px';
    };
    return [...document.querySelectorAll<HTMLElement>('partner-dialer')].flatMap((dialer) => {
      const state = dialer.dataset['state'] ?? '';
      const card = dialer.shadowRoot?.querySelector('.card');
      if (!card || state === 'not connected') return [];
      const things = [...card.querySelectorAll('*')].flatMap((element) => {
        if (element.closest('.visually-hidden, option') || !element.checkVisibility()) return [];
        const hasText = [...element.childNodes].some(
          ({ nodeType, textContent }) => nodeType === 3 && textContent?.trim(),
        );
        // The middle of a call is room for its notice; rings are drawn to the edge of their box.
        const isThing = hasText || element.matches('svg, input, .halo, .party') || ownBackground(element);
        if (!isThing || (element.matches('.party') && element.closest('.incoming'))) return [];
        const { top, bottom } = element.getBoundingClientRect();
        return bottom > top ? [{ top, bottom }] : [];
      });
      things.sort((one, other) => one.top - other.top);
      let end = things[0]?.bottom ?? 0;
      let worst = 0;
      for (const { top, bottom } of things) {
        worst = Math.max(worst, top - end);
        end = Math.max(end, bottom);
      }
      return worst > limit ? [`${state}: ${Math.round(worst)} px`] : [];
    });
  }, most);
}

for (const { lang, width } of PAGES) {
  test.describe(`every state in ${lang} at ${width} px`, LONG, () => {
    let site: Site;
    let agent: AgentPage;
    test.beforeAll(async ({ demo, browser }) => {
      site = new Site(demo.origin, browser);
      agent = await openStates(site, `lang=${lang}&width=${width}&theme=light`);
    });
    test.afterAll(() => site.close());

    test('has each button of a view at one place, and each view one height', async () => {
      const all = await places(agent.page);
      const usual = new Map<string, string>();
      for (const { what, place } of all) if (!usual.has(what)) usual.set(what, place);
      const wrong = all
        .filter(({ what, place }) => place !== usual.get(what))
        .map(({ state, what, place }) => `${state}: ${what} at ${place}, not ${usual.get(what)}`);
      expect(wrong).toEqual([]);
      expect(all.filter(({ what }) => what.endsWith('height')).length).toBeGreaterThan(100);
      const heights = new Set(all.filter(({ what }) => what.endsWith('height')).map(({ place }) => place));
      expect(heights.size, 'the height of keypad, call and incoming call').toBe(1);
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
      const { page } = agent;
      const session = await page.context().newCDPSession(page);
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
      await session.send('Emulation.setEmitTouchEventsForMouse', { enabled: true, configuration: 'mobile' });
      const small = await page.evaluate(
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
      const all = await places(page);
      const heights = new Set(all.filter(({ what }) => what.endsWith('height')).map(({ place }) => place));
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: false });
      expect(small).toEqual([]);
      expect(heights.size, 'the height of the card under a finger').toBe(1);
    });
  });
}

test.describe('every state', LONG, () => {
  for (const theme of ['light', 'dark'])
    for (const accent of ACCENTS)
      test(`can be read in ${theme} with the accent ${accent}`, async ({ site }) => {
        const query = `lang=vi&width=320&theme=${theme}&accent=${encodeURIComponent(accent)}`;
        const agent = await openStates(site, query);
        expect(await flaws(agent.page)).toEqual([]);
      });

  test('reads a key as its digit, chips as one sentence, and never the letters on a key or an avatar', async ({
    site,
  }) => {
    const agent = await openStates(site, 'lang=en&width=320');
    const heard = (state: string) => agent.page.locator(`[data-state="${state}"]`).first().ariaSnapshot();
    const keypad = await heard('ready');
    for (const key of '0123456789*#') expect(keypad).toContain(`button "${key}"`);
    expect(keypad).not.toMatch(/ABC|GHI|WXYZ/);
    const call = await heard('the last minute, and everything else');
    expect(call).toMatch(/02:13 ?, 00:54 left ?, On hold ?, Muted/);
    expect(await heard('sounds fair')).toMatch(/02:13 ?, Sound: fair/);
    for (const state of ['in call', 'somebody calls']) expect(await heard(state)).not.toMatch(/\bNM\b/);
  });

  test('cuts nothing at 200 %, on a screen of 1280 × 800', async ({ site }) => {
    const agent = await openStates(site, 'lang=vi&width=320');
    const { page } = agent;
    await page.setViewportSize({ width: 640, height: 400 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(640);
    // A bubble's card is not higher than the screen, and scrolls.
    const all = (await places(page)).filter(({ state }) => !state.includes('bubble'));
    expect(new Set(all.filter(({ what }) => what.endsWith('height')).map(({ place }) => place)).size).toBe(1);
  });

  test('stands still for whoever asked for less motion, and moves for 150 ms at most', async ({ site }) => {
    const agent = await openStates(site, 'lang=en&width=320');
    const { page } = agent;
    const moving = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('partner-dialer')]
          .flatMap(({ shadowRoot, dataset }) =>
            (shadowRoot?.getAnimations() ?? []).map(
              ({ effect }) => `${dataset['state']}: ${effect?.getTiming().duration}`,
            ),
          )
          .filter((each) => !each.endsWith(': 0')),
      );
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await moving()).toEqual([]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const rings = (await moving()).filter((each) => each.startsWith('somebody calls:'));
    expect(rings).toEqual(['somebody calls: 1800', 'somebody calls: 1800']);
    const answered = (await moving()).filter((each) => each.startsWith('answering:'));
    expect(answered).toEqual([]);
    const slow = await page.evaluate(() =>
      [...document.querySelectorAll('partner-dialer')].flatMap(({ shadowRoot }) =>
        [...(shadowRoot?.querySelectorAll('*') ?? [])]
          .map((each) => getComputedStyle(each).transitionDuration)
          .filter((all) => all.split(', ').some((one) => Number.parseFloat(one) > 0.15)),
      ),
    );
    expect(slow).toEqual([]);
  });
});
