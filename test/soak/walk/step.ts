/** One thing that can happen to a dialer in a page, and to whom it happens. */
import type { AgentPage, Site } from '../../end-to-end/site.ts';
import type { Recorder } from './recorder.ts';

export interface Tab {
  readonly agent: AgentPage;
  readonly recorder: Recorder;
}

export interface Walker {
  readonly site: Site;
  /** Those that are open, the first one never closed. */
  readonly tabs: Tab[];
  readonly openTab: () => Promise<void>;
}

export interface Step {
  readonly name: string;
  /** May it end a call? */
  readonly endsCalls: boolean;
  readonly run: (walker: Walker, tab: Tab, isDouble: boolean) => Promise<unknown>;
}

export const MEMBER = 'agent001';

export const method = (name: string, ...args: readonly unknown[]): Step => ({
  name: `${name}(${args.join()})`,
  endsCalls: name === 'hangUp' || name === 'reject' || name === 'disconnect',
  run: (_, { recorder }, isDouble) =>
    recorder.ask(
      isDouble
        ? [
            [name, ...args],
            [name, ...args],
          ]
        : [[name, ...args]],
    ),
});

export const inPage = (name: string, change: (dialer: HTMLElement) => void, endsCalls = false): Step => ({
  name,
  endsCalls,
  run: (_, { agent }) =>
    agent.page.locator('partner-dialer').first().evaluate(change, undefined, { timeout: 2000 }),
});

export const atSandbox = (path: string, body: object, endsCalls = false): Step => ({
  name: `${path} ${JSON.stringify(body)}`,
  endsCalls,
  run: ({ site }) => site.sandbox(path, body),
});

export const otherParty = (path: string): Step => ({
  name: `the other party: ${path}`,
  endsCalls: true,
  run: async ({ site }) => {
    const call = (await site.calls()).findLast(({ state }) => state !== 'ended');
    if (call) await site.sandbox(`calls/${call.id}/${path}`, {});
  },
});

export const press = (name: RegExp, endsCalls = false, clickCount = 1): Step => ({
  name: `press ${name.source}${clickCount > 1 ? ' twice' : ''}`,
  endsCalls,
  run: (_, { agent }) =>
    agent.page
      .locator('partner-dialer')
      .getByRole('button', { name })
      .first()
      .click({ timeout: 300, clickCount }),
});
