/** Every view that an agent can get into, for tests that try everything in each of them. */
import { memberWith, type Answer } from './fake-broker.ts';
import type { PartnerDialer } from '../../src/index.ts';
import {
  fieldOf,
  findNamed,
  findPart,
  openDialer,
  reaches,
  ringOn,
  sdk,
  talkOn,
  until,
  type DialerPage,
} from './dialer.ts';
import { FakeVbot } from './fake-vbot.ts';
import { hesitate } from './pointer.ts';

const TWO_HOTLINES = ['842899990001', '842899990002'].map((phoneNumber) => ({ name: 'Sales', phoneNumber }));

const VIEWS: Readonly<Record<string, (dialer: PartnerDialer) => Promise<void> | void>> = {
  'the keypad': () => undefined,
  'the keypad with a number': (dialer) => type(dialer),
  'the keypad with two caller numbers': async (dialer) => {
    type(dialer);
    sdk().register(TWO_HOTLINES);
    await until(() => dialer.hotlines.length > 1, 'the second one');
  },
  'a call out': (dialer) => dialer.call('0912345678'),
  'a call': (dialer) => talkOn(dialer),
  'a call with its keys': async (dialer) => {
    await talkOn(dialer);
    findButton(dialer, 'Keys').click();
  },
  'a call in': (dialer) => ringOn(dialer),
  'a call in, with a number typed': async (dialer) => {
    type(dialer);
    await ringOn(dialer);
  },
  'the moment after a call': (dialer) => talkOn(dialer).then(() => dialer.hangUp()),
  'a missed call': async (dialer) => {
    await ringOn(dialer);
    sdk().end('Cuộc gọi đã bị hủy');
    await reaches(dialer, 'ended');
  },
  'the sound devices': (dialer) => openDevices(dialer),
  'the sound devices in a call': async (dialer) => {
    await talkOn(dialer);
    await openDevices(dialer);
  },
  'the latest calls': async (dialer) => {
    await talkOn(dialer);
    await dialer.hangUp();
    findButton(dialer, 'Recent calls').click();
    await until(() => findNamed(dialer, 'Recent calls') !== null, 'the list');
  },
};
/** Views that the broker's response leads to; a number waits in the guide. */
export const BLOCKED: Readonly<Record<string, Readonly<Record<string, Answer>>>> = {
  'a guide': memberWith({ blockers: ['insufficient-funds'] }),
  'no connection': {
    'POST session': () => new Response('{}', { status: 503, headers: { 'Retry-After': '60' } }),
  },
};
export const ALL_VIEWS = [...Object.keys(VIEWS), ...Object.keys(BLOCKED)];

/** A dialer in that view, at which an agent has looked for a while. A floating one is closed. */
export async function openView(view: string, floating = 'false'): Promise<DialerPage> {
  const page = await openDialer({ floating }, BLOCKED[view]);
  const { dialer } = page;
  if (view in BLOCKED) {
    await until(() => ['blocked', 'failed'].includes(dialer.state.status), view);
    await dialer.call('0912345678').catch(() => undefined);
  } else {
    await reaches(dialer, 'ready');
    await VIEWS[view]?.(dialer);
  }
  await dialer.updateComplete;
  // A bubble opens for a call.
  if (floating !== 'false' && findPart(dialer, 'card')) findButton(dialer, 'Close the dialer').click();
  await dialer.updateComplete;
  await hesitate();
  return page;
}

/** The keys of the keypad may be pressed twice. */
export function buttonsOf({ shadowRoot }: PartnerDialer): HTMLElement[] {
  return [...(shadowRoot?.querySelectorAll<HTMLElement>('button:not([part~=key])') ?? [])];
}

/** What the SDK was told; nothing before it was booted. */
export function told(): readonly string[] {
  return FakeVbot.current?.told ?? [];
}

export function nameOf(button: HTMLElement): string {
  return (button.getAttribute('aria-label') ?? button.textContent).trim().replaceAll(/\s+/g, ' ');
}

function findButton(dialer: PartnerDialer, name: string): HTMLElement {
  const found = buttonsOf(dialer).find((button) => nameOf(button).startsWith(name));
  if (!found) throw new Error(`no button ${name}`);
  return found;
}

/** The browser lists the devices after the panel has opened. */
async function openDevices(dialer: PartnerDialer): Promise<void> {
  findButton(dialer, 'Sound devices').click();
  // A browser that hides their names has none to list.
  const all = await navigator.mediaDevices.enumerateDevices();
  if (all.some(({ label }) => label !== ''))
    await until(() => (dialer.shadowRoot?.querySelector('select')?.length ?? 0) > 1, 'the devices');
}

function type(dialer: PartnerDialer): void {
  const field = fieldOf(dialer);
  field.value = '0912345678';
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
