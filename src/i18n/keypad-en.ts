/** The English words of the keypad: all that is read until there is a call, or something is in the way. */
import { firstWords } from './first-words.ts';
import type { Language } from './language.ts';

export type KeypadWords = typeof keypadEn;

const { en: first } = firstWords;

export const keypadEn = {
  language: 'en' as Language,
  dialer: first.dialer,
  status: {
    idle: first.idle,
    connecting: first.connecting,
    reconnecting: 'Connection lost, reconnecting…',
    ready: 'Ready',
    blocked: 'You cannot call out yet',
    elsewhere: 'Active in another tab',
    failed: first.idle,
    dialing: 'Calling…',
    incoming: 'Incoming call',
    'in-call': 'In call',
    held: 'On hold',
  },
  number: first.number,
  keypad: 'Keypad',
  erase: 'Erase the last digit',
  from: 'From',
  call: 'Call',
  openDialer: first.openDialer,
  closeDialer: first.closeDialer,
  balanceOf: (money: string) => `Call balance: ${money}`,
  blockedByPolicy: (directive: string) =>
    `This page’s content security policy (${directive}) blocks the dialer.`,
  recentCalls: 'Recent calls',
};
