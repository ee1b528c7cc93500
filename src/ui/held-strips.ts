/**
 * The strips stand still while a number is typed: what comes or goes above the keypad would move the keys under a pointer that
 * is dialling.
 */
import { isLow } from '../dialer/host.ts';
import type { FullView, ViewActions } from './view.ts';

interface Held {
  readonly draft: string;
  /** What the strips were drawn of; `undefined`: there were none. */
  readonly told: FullView | undefined;
  readonly isTyping: boolean;
}

const NOTHING: Held = { draft: '', told: undefined, isTyping: false };

/** Of each dialer, which has its own actions. */
const held = new WeakMap<ViewActions, Held>();

/** @returns what the strips are drawn of: as it is, or was before the first key of the number; `undefined`: there are none */
export function stripsView(view: FullView): FullView | undefined {
  const { act, draft, asks } = view;
  const before = held.get(act) ?? NOTHING;
  const isTyping = draft !== '' && (before.isTyping || draft !== before.draft);
  const { isSilent, mayOfferNotifications } = asks;
  const told = isTyping ? before.told : { ...view, asks: { isSilent, mayOfferNotifications } };
  held.set(act, { draft, told, isTyping });
  return told;
}

/** Nor does the warning of a low balance come or go below the keys: it is taller than the balance alone. */
export function steadyBalance(view: FullView): FullView {
  const { isTyping, told } = held.get(view.act) ?? NOTHING;
  if (!isTyping || !told) return view;
  return { ...view, lowBalance: isLow(told.state.member?.balance, told.lowBalance) ? Infinity : 0 };
}

/** The number has been called, or a call answered or declined: the strips tell of that next. */
export function releaseStrips({ act, draft }: FullView): void {
  held.set(act, { draft, told: undefined, isTyping: false });
}
