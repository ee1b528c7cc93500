import type { BrowserCheck } from './browser-check.ts';
import type { Connection } from './connection/connection.ts';
import type { PageEvents } from './page-events.ts';
import type { DialerStore } from './store.ts';

/** What the parts of the dialer share. */
export interface Dependencies {
  readonly store: DialerStore;
  readonly connection: Connection;
  readonly browser: BrowserCheck;
  readonly events: PageEvents;
}
