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
 *       └── a readiness ───┘     and with something left in the browser: blocked by that
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
      /** What the browser lacks as well: it keeps the member from calling once this has passed. */
      readonly next?: string | undefined;
    }
  | { readonly is: 'cleared'; readonly reason: string };

export type BlockEvent =
  | { readonly type: 'blocked'; readonly reason: string; readonly source: BlockSource }
  /** What a look at the browser has found; `undefined`: nothing is in the way there any more. */
  | { readonly type: 'browser'; readonly reason: string | undefined }
  | { readonly type: 'guide-taken' }
  | { readonly type: 'waiting'; readonly for: 'check' | 'help' }
  | { readonly type: 'waited'; readonly notice: GuideNotice }
  | { readonly type: 'cleared' };

/** The very same block when the event means nothing to it now. */
export function moveBlock(block: Block, event: BlockEvent): Block {
  if (event.type === 'blocked') return blocked(block, event);
  if (event.type === 'browser') return lookedAt(block, event.reason);
  if (block.is !== 'blocked') return block;
  switch (event.type) {
    case 'guide-taken':
      return { ...block, drawnByPage: true };
    case 'waiting':
      return { ...block, waitingFor: event.for, notice: undefined };
    case 'waited':
      return { ...block, waitingFor: undefined, notice: event.notice };
    case 'cleared':
      // Only a look at the browser tells what is over there.
      if (block.source === 'browser') return block;
      return block.next === undefined
        ? { is: 'cleared', reason: block.reason }
        : { is: 'blocked', reason: block.next, source: 'browser', drawnByPage: false };
  }
}

function blocked(block: Block, { reason, source }: Extract<BlockEvent, { type: 'blocked' }>): Block {
  if (block.is !== 'blocked') return { is: 'blocked', reason, source, drawnByPage: false };
  if (block.reason === reason) return { ...block, source };
  const next = block.source === 'browser' && source !== 'browser' ? block.reason : block.next;
  return { is: 'blocked', reason, source, drawnByPage: false, next };
}

/** What somebody else has to remove is told first: the browser is soon put right, and then it would come as a surprise. */
function lookedAt(block: Block, reason: string | undefined): Block {
  if (block.is === 'blocked' && block.source !== 'browser')
    return block.next === reason ? block : { ...block, next: reason };
  if (reason === undefined) return block.is === 'blocked' ? { is: 'cleared', reason: block.reason } : block;
  if (block.is === 'blocked' && block.reason === reason) return block;
  return { is: 'blocked', reason, source: 'browser', drawnByPage: false };
}

/** Whatever else is in the way, has the machine no network? */
export function isOffline(block: Block): boolean {
  return block.is === 'blocked' && (block.reason === 'offline' || block.next === 'offline');
}

/** "You can call again" has been read: the guide has done its work. */
export function withoutCleared(block: Block): Block {
  return block.is === 'cleared' ? { is: 'none' } : block;
}
