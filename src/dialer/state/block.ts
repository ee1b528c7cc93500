/** What keeps the member from calling, and what moves it: the guide follows this. */
import type { Notice } from '../../broker/answer.ts';

/** Who said that the member cannot call. */
export type BlockSource = 'broker' | 'sdk' | 'call' | 'browser' | 'tab';

/** What came of the last press of a button in a guide. */
export type GuideNotice =
  | Notice
  | 'still-blocked'
  | 'help-requested'
  | 'ask-admin'
  | 'check-failed'
  | 'help-failed'
  | 'call-elsewhere'
  | 'not-moved';

/** What the tab that has the phone is doing with it. */
export interface TabActivity {
  readonly is: 'idle' | 'calling' | 'ringing' | 'in-call';
  readonly number?: string | undefined;
  readonly name?: string | undefined;
  /** Epoch milliseconds. */
  readonly since?: number | undefined;
}

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
      readonly waitingFor?: 'check' | 'help' | 'phone' | undefined;
      readonly notice?: GuideNotice | undefined;
      /** What the browser lacks as well: it keeps the member from calling once this has passed. */
      readonly next?: string | undefined;
      /** With the reason `active-elsewhere`; absent: that tab has not said. */
      readonly elsewhere?: TabActivity | undefined;
    }
  | { readonly is: 'cleared'; readonly reason: string };

export type BlockEvent =
  | { readonly type: 'blocked'; readonly reason: string; readonly source: BlockSource }
  /** What a look at the browser has found; `undefined`: nothing is in the way there any more. */
  | { readonly type: 'browser'; readonly reason: string | undefined }
  | { readonly type: 'guide-taken' }
  /** The phone is in another tab. */
  | { readonly type: 'elsewhere'; readonly activity: TabActivity | undefined }
  /** The phone is in this tab now. */
  | { readonly type: 'here' }
  | { readonly type: 'waiting'; readonly for: 'check' | 'help' | 'phone' }
  | { readonly type: 'waited'; readonly notice: GuideNotice }
  | { readonly type: 'cleared' };

/** The very same block when the event means nothing to it now. */
export function moveBlock(block: Block, event: BlockEvent): Block {
  if (event.type === 'blocked') return blocked(block, event);
  if (event.type === 'browser') return lookedAt(block, event.reason);
  if (event.type === 'elsewhere') return inAnotherTab(block, event.activity);
  if (block.is !== 'blocked') return block;
  switch (event.type) {
    case 'here':
      if (block.source !== 'tab') return block;
      return block.next === undefined ? { is: 'none' } : blockedByBrowser(block.next);
    case 'guide-taken':
      return { ...block, drawnByPage: true };
    case 'waiting':
      return { ...block, waitingFor: event.for, notice: undefined };
    case 'waited':
      return { ...block, waitingFor: undefined, notice: event.notice };
    case 'cleared':
      // Only a look at the browser tells what is over there, and only the tab with the phone that it is given up.
      if (block.source === 'browser' || block.source === 'tab') return block;
      return block.next === undefined
        ? { is: 'cleared', reason: block.reason }
        : blockedByBrowser(block.next);
  }
}

function blocked(
  block: Block,
  { reason, source }: Pick<Extract<BlockEvent, { type: 'blocked' }>, 'reason' | 'source'>,
): Extract<Block, { is: 'blocked' }> {
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
  return blockedByBrowser(reason);
}

function blockedByBrowser(reason: string): Block {
  return { is: 'blocked', reason, source: 'browser', drawnByPage: false };
}

function inAnotherTab(block: Block, elsewhere: TabActivity | undefined): Block {
  if (block.is === 'blocked' && block.source === 'tab')
    // What was said of the last press was about what went on then.
    return block.elsewhere === elsewhere ? block : { ...block, elsewhere, notice: undefined };
  return { ...blocked(block, { reason: 'active-elsewhere', source: 'tab' }), elsewhere };
}

/** Is the phone in another tab? */
export function isElsewhere(block: Block): boolean {
  return block.is === 'blocked' && block.source === 'tab';
}

/** "You can call again" has been read: the guide has done its work. */
export function withoutCleared(block: Block): Block {
  return block.is === 'cleared' ? { is: 'none' } : block;
}
