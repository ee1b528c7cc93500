/** The page that draws every state. */
/* oxlint-disable unicorn/consistent-function-scoping -- what runs in the page is given to it whole */
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
