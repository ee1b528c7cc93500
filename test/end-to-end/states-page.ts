/** The page that draws every state, and what is measured in it. */
/* oxlint-disable unicorn/consistent-function-scoping -- what runs in the page is given to it whole */
import type { Page } from '@playwright/test';
import type { AgentPage, Site } from './site.ts';

const LEAST_STATES = 30;
const DRAWN_MS = 20_000;

/** Resolves once each of them is drawn. */
export async function openStates(site: Site, query: string): Promise<AgentPage> {
  const agent = await site.open(`/states.html?${query}`);
  await agent.page.waitForFunction(
    (least) => {
      const dialers = [...document.querySelectorAll('partner-dialer')];
      const isDrawn = (dialer: Element) =>
        dialer.shadowRoot?.querySelector('.card[aria-label*=": "], .bubble-bar') != null;
      return dialers.length >= least && dialers.every(isDrawn);
    },
    LEAST_STATES,
    { timeout: DRAWN_MS },
  );
  return agent;
}

/** Where a button stands, from the corner of its card. */
interface Place {
  readonly state: string;
  readonly what: string;
  readonly place: string;
}

/** Of every button in a view that it knows, and the height of every card with a keypad's height. */
export function places(page: Page): Promise<Place[]> {
  return page.evaluate(() => {
    const VIEWS = { keypad: 'form', incoming: '[part=incoming]', call: '[part=hangup-button]' };
    const BUTTONS = '[part=key], [part$=-button], [part=control], .secondary';
    return [...document.querySelectorAll<HTMLElement>('partner-dialer')].flatMap((dialer) => {
      const root = dialer.shadowRoot;
      const card = root?.querySelector('.card');
      const state = dialer.dataset['state'] ?? '';
      // The list of shortcuts was opened by the agent, and stands above everything.
      if (!root || !card || card.querySelector('.shortcuts')) return [];
      const corner = card.getBoundingClientRect();
      const height = { state, what: 'height', place: `${Math.round(corner.height)}` };
      const view = Object.entries(VIEWS).find(([, selector]) => card.querySelector(selector))?.[0];
      if (!view) return card.querySelector('.tall') ? [height] : [];
      const found = [...card.querySelectorAll(BUTTONS)].map((button) => {
        const box = button.getBoundingClientRect();
        const keys = card.querySelector('.compact') && button.matches('[part=key]') ? 'tone ' : '';
        const name =
          button.getAttribute('aria-label') ?? button.querySelector('span:last-of-type')?.textContent;
        const place = [box.left - corner.left, box.top - corner.top, box.width, box.height]
          .map(Math.round)
          .join(' ');
        return { state, what: `${view}: ${keys}${(name ?? '').replace(/^, .*/, '').trim()}`, place };
      });
      return [...found, height];
    });
  });
}

/** Between two things that can be seen, one above the other, in pixels. */
export function holes(page: Page, most: number): Promise<string[]> {
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
