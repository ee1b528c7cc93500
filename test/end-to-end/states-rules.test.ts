/** What holds for every state, whatever its width: words for the ear, contrast with every accent, zoom, and little that moves. */
/* oxlint-disable unicorn/consistent-function-scoping -- what runs in the page is given to it whole */
import { expect, LONG, test } from './fixtures.ts';
import { flaws } from './readable.ts';
import { openStates, places } from './states-page.ts';

// A trace of so many dialers takes longer than the test.
test.use({ trace: 'off' });

const ACCENTS = ['#facc15', '#ec4899', '#111827', '#f9fafb', '#7c3aed'];

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
    expect(new Set(all.filter(({ what }) => what === 'height').map(({ place }) => place)).size).toBe(1);
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

  test('makes the page no wider than a phone', async ({ site }) => {
    const agent = await openStates(site, 'lang=vi&width=280');
    for (const width of [320, 390]) {
      await agent.page.setViewportSize({ width, height: 780 });
      expect(await agent.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });
});
