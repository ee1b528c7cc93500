/** Why the member cannot call, and what changes that. The guide shows the reason. */
import { NOTICES } from '../../broker/answers.ts';
import type { Blocker } from '../../broker/contract.ts';
import type { MicrophoneTrouble } from '../../page/microphone.ts';
import { withFields } from './fields.ts';

export { BLOCKERS, CALL_BLOCKERS, HELP, type Blocker, type HelpKind } from '../../broker/contract.ts';

/** What the browser lacks; `offline`: the machine has no network. */
export type BrowserReason = MicrophoneTrouble | 'offline';
/** A broker may name others. */
export type BlockReason = Blocker | BrowserReason | 'active-elsewhere' | (string & {});

/** Who reported that the member cannot call. */
export type BlockSource = 'broker' | 'sdk' | 'call' | 'browser' | 'tab';

/** The results that a page may report when it handles a request for help itself. */
export const HELP_NOTICES = [
  ...NOTICES,
  'help-requested',
  'help-refused',
  'help-failed',
  /** It may have moved money. */
  'help-unknown',
  'ask-admin',
] as const;
export type HelpNotice = (typeof HELP_NOTICES)[number];

/** The result of the last press of a button in a guide. */
export type GuideNotice = HelpNotice | 'still-blocked' | 'check-failed' | 'call-elsewhere' | 'not-moved';

/** What the tab that has the phone is doing with it. */
export interface TabActivity {
  readonly is: 'idle' | 'calling' | 'ringing' | 'in-call';
  readonly number?: string | undefined;
  readonly name?: string | undefined;
  /** Epoch milliseconds. */
  readonly since?: number | undefined;
}

/** What a button of a guide asks for: a check, help (a top-up or a caller number), or the phone of another tab. */
type GuideRequest = 'check' | 'help' | 'phone';

/**
 *     none ──blocked──▶ blocked ──cleared, and no browser reason remains──▶ cleared ──dial or dismiss──▶ none
 *                       │  ▲ └─ a browser reason remains: blocked by that reason
 *                       │  └─── guide-asked, guide-answered: a button of the guide
 *                       └─ here, or cleared where the page draws the guide ──▶ none
 */
export type Block =
  | { readonly is: 'none' }
  | {
      readonly is: 'blocked';
      readonly reason: BlockReason;
      readonly source: BlockSource;
      /** The page draws the guide: it cancelled `dialer-blocked`. */
      readonly drawnByPage: boolean;
      /** The agent's latest request, until its answer comes. */
      readonly waitingFor?: GuideRequest | undefined;
      readonly notice?: GuideNotice | undefined;
      /** What the browser lacks as well. It becomes the reason when the present one is gone. */
      readonly next?: BlockReason | undefined;
      /** What the other tab does, with the reason `active-elsewhere`. One that has reported nothing counts as idle. */
      readonly elsewhere?: TabActivity | undefined;
    }
  | { readonly is: 'cleared'; readonly reason: BlockReason };

export type Blocked = Extract<Block, { is: 'blocked' }>;

export type BlockEvent =
  | { readonly type: 'blocked'; readonly reason: BlockReason; readonly source: BlockSource }
  /** The result of a browser check; `undefined`: nothing is missing. */
  | { readonly type: 'browser'; readonly reason: BrowserReason | undefined }
  /** The page was told of the block: it draws the guide itself, or the dialer does. */
  | { readonly type: 'guide-drawn'; readonly byPage: boolean }
  /** The phone is in another tab. */
  | { readonly type: 'elsewhere'; readonly activity: TabActivity | undefined }
  /** The phone is in this tab now. */
  | { readonly type: 'here' }
  | { readonly type: 'guide-asked'; readonly for: GuideRequest }
  /** Only the guide that waits for this answer shows it. Without a notice, it shows nothing new. */
  | { readonly type: 'guide-answered'; readonly to: GuideRequest; readonly notice?: GuideNotice | undefined }
  /** What came of a request for help, perhaps late. The answer to a later request of the guide is still awaited. */
  | { readonly type: 'help-result'; readonly notice: HelpNotice }
  | { readonly type: 'cleared' };

export function moveBlock(block: Block, event: BlockEvent): Block {
  if (event.type === 'blocked') return blocked(block, event);
  if (event.type === 'browser') return afterBrowserCheck(block, event.reason);
  if (event.type === 'elsewhere') return inAnotherTab(block, event.activity);
  if (block.is !== 'blocked') return block;
  switch (event.type) {
    case 'here':
      if (block.source !== 'tab') return block;
      return block.next === undefined ? { is: 'none' } : blockedByBrowser(block.next);
    case 'guide-drawn':
      return withFields(block, { drawnByPage: event.byPage });
    case 'guide-asked':
      return { ...block, waitingFor: event.for, notice: undefined };
    case 'guide-answered':
      return block.waitingFor === event.to ? answered(block, event.notice) : block;
    case 'help-result':
      return (block.waitingFor ?? 'help') === 'help' ? answered(block, event.notice) : block;
    case 'cleared':
      // Only a browser check ends a browser's reason, and only the other tab its own.
      if (block.source === 'browser' || block.source === 'tab') return block;
      return block.next === undefined ? cleared(block) : blockedByBrowser(block.next);
  }
}

function answered(block: Blocked, notice: GuideNotice | undefined): Blocked {
  return { ...block, waitingFor: undefined, notice };
}

function blocked(block: Block, { reason, source }: Pick<Blocked, 'reason' | 'source'>): Blocked {
  if (block.is !== 'blocked') return { is: 'blocked', reason, source, drawnByPage: false };
  if (block.reason === reason) return withFields(block, { source });
  // Only the other tab ends its own. It shows why the member cannot call.
  if (block.source === 'tab') return block;
  const next = block.source === 'browser' && source !== 'browser' ? block.reason : block.next;
  return { is: 'blocked', reason, source, drawnByPage: false, next };
}

/** Reasons that others must fix come first. Otherwise the agent would fix the browser, and then meet the next guide. */
function afterBrowserCheck(block: Block, reason: BrowserReason | undefined): Block {
  if (block.is === 'blocked' && block.source !== 'browser') return withFields(block, { next: reason });
  if (reason === undefined) return block.is === 'blocked' ? cleared(block) : block;
  if (block.is === 'blocked' && block.reason === reason) return block;
  return blockedByBrowser(reason);
}

/** A page that draws the guide tells the agent itself that they can call again. */
function cleared({ reason, drawnByPage }: Blocked): Block {
  return drawnByPage ? { is: 'none' } : { is: 'cleared', reason };
}

function blockedByBrowser(reason: BlockReason): Block {
  return { is: 'blocked', reason, source: 'browser', drawnByPage: false };
}

function inAnotherTab(block: Block, elsewhere: TabActivity | undefined): Block {
  if (isBlockedBy(block, 'tab'))
    // The notice is about what the other tab did before.
    return block.elsewhere === elsewhere ? block : { ...block, elsewhere, notice: undefined };
  return { ...blocked(block, { reason: 'active-elsewhere', source: 'tab' }), elsewhere };
}

/** Has the member just become blocked, or for another reason than before? */
export function isNewlyBlocked(block: Block, previous: Block): block is Blocked {
  return block.is === 'blocked' && (previous.is !== 'blocked' || previous.reason !== block.reason);
}

export function isBlockedBy(block: Block, source: BlockSource): block is Blocked {
  return block.is === 'blocked' && block.source === source;
}

/** The agent has read "You can call again". */
export function withoutCleared(block: Block): Block {
  return block.is === 'cleared' ? { is: 'none' } : block;
}
