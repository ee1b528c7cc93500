/** The parts of the view that are fetched once they are wanted, each with its own sheets. */
import type { CSSResult, ReactiveController } from 'lit';
import { Chunk } from '../page/chunk.ts';
import * as bubbleCode from './bubble.ts';
import * as callCode from './call-panel.ts';
import * as guideCode from './guide.ts';
import * as recentCallsCode from './recent-calls.ts';
import type { BubblePanel, CallPanel, GuidePanel, PanelHost, RecentCallsPanel } from './view.ts';

const recentCalls = new Chunk(async () => recentCallsCode);
const bubble = new Chunk(async () => bubbleCode);

/** Fetched once the phone is ready, or before, where they are wanted. Changeable, so that a test can have them come late. */
export const chunks = {
  calls: new Chunk(async () => callCode),
  guide: new Chunk(async () => guideCode),
};

interface Panel {
  readonly styles: readonly CSSResult[];
}

export class Panels implements ReactiveController {
  readonly #host: PanelHost;
  readonly #drawn = new Set<CSSResult>();
  #isPlaced = false;

  constructor(host: PanelHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Has the list of the latest calls come once? */
  get hasRecentCalls(): boolean {
    return recentCalls.value !== undefined;
  }

  /** @returns `undefined` while it is on its way; the view is drawn again then */
  recentCalls(): RecentCallsPanel | undefined {
    return this.#want(recentCalls);
  }

  /** @returns likewise */
  bubble(): BubblePanel | undefined {
    const panel = this.#want(bubble);
    if (panel && !this.#isPlaced) {
      this.#isPlaced = true;
      this.#host.addController(new panel.BubblePlace(this.#host));
    }
    return panel;
  }

  /** @param isWanted else it is given only where it has come already */
  calls(isWanted: boolean): CallPanel | undefined {
    return isWanted || chunks.calls.value ? this.#want(chunks.calls) : undefined;
  }

  /** @param isWanted likewise */
  guide(isWanted: boolean): GuidePanel | undefined {
    return isWanted || chunks.guide.value ? this.#want(chunks.guide) : undefined;
  }

  hostUpdated(): void {
    const { renderRoot } = this.#host;
    if (!(renderRoot instanceof ShadowRoot)) return;
    const { adoptedStyleSheets: adopted } = renderRoot;
    for (const { styleSheet } of this.#drawn) {
      if (styleSheet && !adopted.includes(styleSheet)) adopted.push(styleSheet);
    }
  }

  #want<T extends Panel>(chunk: Chunk<T>): T | undefined {
    const panel = chunk.want(() => this.#host.requestUpdate());
    for (const sheet of panel?.styles ?? []) this.#drawn.add(sheet);
    return panel;
  }
}
