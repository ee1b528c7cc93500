/** The truth of one sequence: what the exchange, the microphone and the broker know, whatever the element believes. */
import type { PlayedBroker } from './broker.ts';
import type { ToldCall } from './caller-numbers.ts';
import type { VirtualClock } from './clock.ts';
import type { Exchange } from './exchange.ts';
import type { PlayedClient } from './client.ts';
import type { PlayedPage } from './page.ts';
import { PlayedTabs } from './tabs.ts';

/** An invariant that did not hold. */
export interface Violation {
  /** Which invariant, and how: the same words for the same defect. */
  readonly key: string;
  readonly text: string;
  /** After which step of the sequence. */
  readonly step: number;
}

/** Nobody but the played world and its own pages uses this text: wherever it turns up, a token leaked. */
export const CANARY = 'CANARY-TOKEN';

export class World {
  readonly violations: Violation[] = [];
  readonly journal: string[] = [];
  readonly clock: VirtualClock;
  /** Which step is being run. */
  step = -1;
  exchange!: Exchange;
  broker!: PlayedBroker;
  page!: PlayedPage;
  client!: PlayedClient;
  readonly tabs = new PlayedTabs(this);
  /** Whom a caller calls: the number is that of one of their customers. */
  callerOf: (number: string) => string = (number) => number;
  /** Does any dialer show that it calls this number? */
  isPlacing: (number: string) => boolean = () => true;
  /** What the page was told of the call to this number. */
  toldOf: (number: string) => readonly ToldCall[] = () => [];
  /** Does any dialer say that its agent can call? */
  isFree: () => boolean = () => false;
  /** Where that dialer signed in whenever a call was asked for since it placed the last one. It forgets them. */
  takeBrokersAsked: (number: string) => readonly string[] = () => [];
  /** Has any dialer's agent something to ask for? */
  lacks: (what: 'top-up' | 'hotline') => boolean = () => true;
  readonly #began: number;
  #order = 0;

  constructor(clock: VirtualClock) {
    this.clock = clock;
    this.#began = clock.now;
  }

  /** Orders what happens within one instant of the virtual time. */
  next(): number {
    this.clock.activity += 1;
    this.#order += 1;
    return this.#order;
  }

  onReach(isOnline: boolean): void {
    this.client.onReach(isOnline);
  }

  /** What happened when, for whoever has to understand a failure. */
  note(text: string): void {
    this.journal.push(`${((this.clock.now - this.#began) / 1000).toFixed(2)} s  ${text}`);
  }

  violate(key: string, text = ''): void {
    if (this.violations.some((known) => known.key === key && known.text === text)) return;
    this.violations.push({ key, text, step: this.step });
    this.note(`VIOLATED ${key} ${text}`);
  }
}
