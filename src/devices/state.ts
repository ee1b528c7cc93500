/** The audio devices: which are there, which the agent has chosen, which is being tested. One pure function moves it. */

import type { MicrophoneTrouble } from '../page/microphone.ts';

export interface Device {
  /** Of the browser; empty: whatever the system prefers. Browsers change ids, when site data are deleted for example. */
  readonly id: string;
  readonly label: string;
  /** Another device has the same label, or had it once: only the id tells the two apart. */
  readonly isTwin?: boolean | undefined;
}

export const SYSTEM_DEVICE: Device = { id: '', label: '' };

export type DeviceKind = 'microphone' | 'speaker';

interface DevicesOfKind {
  readonly all: readonly Device[];
  /** What the system prefers, as far as the browser tells. */
  readonly preferred: Device | undefined;
}

export type DeviceList = Readonly<Record<DeviceKind, DevicesOfKind>>;

export interface DeviceChoice {
  readonly microphone: Device;
  readonly speaker: Device;
  /** At least one. */
  readonly ringers: readonly Device[];
}

export const SYSTEM_CHOICE: DeviceChoice = {
  microphone: SYSTEM_DEVICE,
  speaker: SYSTEM_DEVICE,
  ringers: [SYSTEM_DEVICE],
};

/** `lost`: the device in use was unplugged, and `now` is used instead; `back`: a chosen device is there again; `new`: another was plugged in. */
interface DeviceNotice {
  readonly is: 'lost' | 'back' | 'new';
  readonly label: string;
  readonly now: string | undefined;
}

/**
 * What the agent listens to or speaks into.
 *
 *     none ──▶ asking ──▶ speaking ──▶ playing ──▶ over ──▶ none     "Test my headset"
 *     none ──▶ ringing ──▶ none                                      the test of a speaker, or of the ringers
 */
export type SoundTest =
  | { readonly is: 'none' }
  /** The browser may be asking the agent for the microphone. */
  | { readonly is: 'asking' }
  | { readonly is: 'speaking' }
  | { readonly is: 'playing' }
  | { readonly is: 'over'; readonly result: TestResult }
  | { readonly is: 'ringing'; readonly on: 'speaker' | 'ringer' };

export type TestResult = 'heard' | 'silent' | MicrophoneTrouble;

export interface DevicesState {
  /** `undefined`: not read yet, or the browser hides it until the microphone is allowed. */
  readonly list: DeviceList | undefined;
  readonly choice: DeviceChoice;
  readonly notice: DeviceNotice | undefined;
  readonly test: SoundTest;
  /** How loud the microphone is, 0 to 1. */
  readonly level: number;
}

export const INITIAL_DEVICES: DevicesState = {
  list: undefined,
  choice: SYSTEM_CHOICE,
  notice: undefined,
  test: { is: 'none' },
  level: 0,
};

export type DevicesEvent =
  | { readonly type: 'listed'; readonly list: DeviceList | undefined }
  | { readonly type: 'chosen'; readonly choice: DeviceChoice }
  | { readonly type: 'notice-expired' }
  | { readonly type: 'test'; readonly test: SoundTest }
  | { readonly type: 'level'; readonly level: number };

export function moveDevices(state: DevicesState, event: DevicesEvent): DevicesState {
  switch (event.type) {
    case 'listed':
      return listed(state, event.list);
    case 'chosen':
      return { ...state, choice: asListed(state.list, event.choice) };
    case 'notice-expired':
      return { ...state, notice: undefined };
    case 'test':
      return { ...state, test: event.test, level: 0 };
    case 'level':
      return { ...state, level: event.level };
  }
}

function listed(state: DevicesState, list: DeviceList | undefined): DevicesState {
  if (!list) return { ...state, list };
  const { choice } = state;
  const notice = state.list && noticeOf(state.list, list, choice);
  return { ...state, list, choice: asListed(list, choice), notice: notice ?? state.notice };
}

/** The chosen devices with the ids and the labels that they have now. */
function asListed(list: DeviceList | undefined, choice: DeviceChoice): DeviceChoice {
  if (!list) return choice;
  const { microphone, speaker } = list;
  return {
    microphone: deviceNow(microphone, choice.microphone),
    speaker: deviceNow(speaker, choice.speaker),
    ringers: choice.ringers.map((ringer) => deviceNow(speaker, ringer)),
  };
}

function deviceNow({ all }: DevicesOfKind, chosen: Device): Device {
  const found = findDevice(all, chosen);
  if (!found) return chosen;
  return chosen.isTwin ? { ...found, isTwin: true } : found;
}

/** By id, else by label. If two headsets have the same name, only the id says which the agent has chosen. */
function findDevice(all: readonly Device[], { id, label, isTwin }: Device): Device | undefined {
  if (id === '') return undefined;
  return (
    all.find((device) => device.id === id) ??
    (isTwin ? undefined : all.find((device) => device.label === label))
  );
}

/** A headset is a microphone and a speaker: one notice tells of both. */
function noticeOf(before: DeviceList, now: DeviceList, choice: DeviceChoice): DeviceNotice | undefined {
  for (const is of ['lost', 'back', 'new'] as const) {
    for (const kind of ['microphone', 'speaker'] as const) {
      const device = NOTICED[is](before[kind], now[kind], choice[kind]);
      if (device) return { is, label: device.label, now: inUse(now[kind], choice[kind])?.label };
    }
  }
  return undefined;
}

type Noticed = (before: DevicesOfKind, now: DevicesOfKind, chosen: Device) => Device | undefined;

const NOTICED: Readonly<Record<DeviceNotice['is'], Noticed>> = {
  lost: (before, now, chosen) => {
    const used = inUse(before, chosen);
    return used && findDevice(before.all, used) && !findDevice(now.all, used) ? used : undefined;
  },
  back: (before, now, chosen) => (findDevice(before.all, chosen) ? undefined : findDevice(now.all, chosen)),
  new: (before, now) => now.all.find((device) => !findDevice(before.all, device)),
};

/** The chosen device while it is there, else the one that the system prefers. */
function inUse({ all, preferred }: DevicesOfKind, chosen: Device): Device | undefined {
  return findDevice(all, chosen) ?? preferred;
}

/** The id to give the browser; empty if the chosen device is not there: the system's. */
export function usedId({ list }: DevicesState, kind: DeviceKind, chosen: Device): string {
  return list ? (findDevice(list[kind].all, chosen)?.id ?? '') : chosen.id;
}

/** Ids of the devices that ring. */
export function ringerIds(state: DevicesState): readonly string[] {
  const ids = state.choice.ringers.map((ringer) => usedId(state, 'speaker', ringer));
  return [...new Set(ids)];
}

/** The SDK rings where its calls are heard. That may be the headset, which lies on the desk. */
export function ringsItself({ choice: { speaker, ringers } }: DevicesState): boolean {
  return speaker.id !== '' || ringers.some(({ id }) => id !== '');
}

/** With or without this one; without any, the system's device rings. */
export function withRinger(ringers: readonly Device[], ringer: Device, on: boolean): readonly Device[] {
  const others = ringers.filter(({ id }) => id !== ringer.id);
  const chosen = on ? [...others, ringer] : others;
  return chosen.length > 0 ? chosen : [SYSTEM_DEVICE];
}
