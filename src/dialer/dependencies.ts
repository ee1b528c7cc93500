import type { BrowserCheck } from './browser-check.ts';
import type { Connection } from './connection/connection.ts';
import type { Notifications } from './notifications.ts';
import type { DialerStore } from './store.ts';

/** What the parts of the dialer share. */
export interface Dependencies {
  readonly store: DialerStore;
  readonly connection: Connection;
  readonly browser: BrowserCheck;
  readonly notifications: Notifications;
}
