/** Where every dialer begins: not signed in, nothing known. Apart, because it is shown before the dialer's code is there. */
import type { Hotline } from '../broker/contract.ts';
import type { Block } from './block-state.ts';
import type { Call } from './call-state.ts';
import type { Line } from './line-state.ts';

const OFF: Line = { is: 'off' };
const NO_BLOCK: Block = { is: 'none' };
const NO_CALL: Call = { is: 'none' };
const NO_HOTLINES: readonly Hotline[] = [];

export const INITIAL_STATE = {
  status: 'idle',
  line: OFF,
  block: NO_BLOCK,
  call: NO_CALL,
  hotlines: NO_HOTLINES,
} as const;
