/** What keeps the member from calling, and what moves it: the guide follows this. */
import type { Notice } from '../broker/parse-answer.ts';

/** Who said that the member cannot call. */
export type BlockSource = 'broker' | 'sdk' | 'call' | 'browser';

/** What came of the last press of a button in a guide. */
export type GuideNotice = Notice | 'still-blocked' | 'help-requested' | 'ask-admin' | 'check-failed';

/**
 * What keeps the member from calling out.
 *
 *     none ──blocked──▶ blocked ──readiness without blockers──▶ cleared ──dial or dismiss──▶ none
 *       ▲                  ▲ └─ checking / asking: the agent pressed a button, the answer is awaited
 *       └── a readiness ───┘
 */
export type Block =
  | { readonly is: 'none' }
  | {
      readonly is: 'blocked';
      /** `insufficient-funds`, `no-hotline`, `microphone-denied`, … or whatever else a broker names. */
      readonly reason: string;
      readonly source: BlockSource;
      /** The page took the guide over (it cancelled `dialer-blocked`). */
      readonly drawnByPage: boolean;
      readonly waitingFor?: 'check' | 'help' | undefined;
      readonly notice?: GuideNotice | undefined;
    }
  | { readonly is: 'cleared'; readonly reason: string };

export type BlockEvent =
  | { readonly type: 'blocked'; readonly reason: string; readonly source: BlockSource }
  | { readonly type: 'guide-taken' }
  | { readonly type: 'waiting'; readonly for: 'check' | 'help' }
  | { readonly type: 'waited'; readonly notice: GuideNotice }
  | { readonly type: 'cleared' };

/** The very same block when the event means nothing to it now. */
export function moveBlock(block: Block, event: BlockEvent): Block {
  if (event.type === 'blocked') {
    const { reason, source } = event;
    if (block.is !== 'blocked' || block.reason !== reason) {
      return { is: 'blocked', reason, source, drawnByPage: false };
    }
    return { ...block, source };
  }
  if (block.is !== 'blocked') return block;
  switch (event.type) {
    case 'guide-taken':
      return { ...block, drawnByPage: true };
    case 'waiting':
      return { ...block, waitingFor: event.for, notice: undefined };
    case 'waited':
      return { ...block, waitingFor: undefined, notice: event.notice };
    case 'cleared':
      return { is: 'cleared', reason: block.reason };
  }
}

/** "You can call again" has been read: the guide has done its work. */
export function withoutCleared(block: Block): Block {
  return block.is === 'cleared' ? { is: 'none' } : block;
}
