/** The adapter, or its calls alone, with the vendor's element played by the test, and a record of what was reported. */
import { expect } from '@open-wc/testing';
import { SYSTEM_DEVICES, type CallAudio, type SdkEvent } from '../../../src/sdk/calling-sdk.ts';
import type { VbotCall } from '../../../src/sdk/vbot/call.ts';
import { VbotCalls } from '../../../src/sdk/vbot/calls.ts';
import { openInbox, type InboxReader } from '../../../src/sdk/vbot/messages.ts';
import { SipSocket } from '../../../src/sdk/vbot/sip-socket.ts';
import { VbotSdk } from '../../../src/sdk/vbot/sdk.ts';
import { passTime, settled, until } from '../../support/clock.ts';
import { FakeVbot } from '../../support/fake-vbot.ts';

/** Longer than what follows at once takes. */
const SOON_MS = 1200;

export class Record {
  readonly events: SdkEvent[] = [];
  readonly note = (event: SdkEvent): unknown => this.events.push(event);

  /** Types of the events so far, `ended` with its outcome. Without `ringing`, which comes 50 ms after `dialing`. */
  get names(): string[] {
    return this.events
      .filter(({ type }) => type !== 'ringing')
      .map((event) => {
        if (event.type === 'microphone') return event.lost ? 'microphone lost' : 'microphone found';
        return event.type === 'ended' ? `ended ${event.outcome}` : event.type;
      });
  }

  async until(name: string): Promise<void> {
    await until(() => this.names.includes(name), name).catch(() => {
      throw new Error(`never came: ${name}, only ${this.names.join(', ')}`);
    });
  }

  /** Every call that began has ended exactly once, and nothing ended that had not begun. */
  expectPairs(): void {
    let open = 0;
    for (const name of this.names) {
      if (name === 'dialing' || name === 'incoming') open += 1;
      if (name.startsWith('ended')) open -= 1;
      expect(open, this.names.join(', ')).to.be.within(0, 1);
    }
    expect(open, this.names.join(', ')).to.equal(0);
  }
}

export interface CallsBench {
  readonly calls: VbotCalls;
  /** The present one. */
  readonly call: VbotCall;
  /** Of the present call, which was answered. */
  readonly audio: CallAudio;
  readonly socket: SipSocket;
  readonly vbot: FakeVbot;
  readonly record: Record;
  /** For the next socket that is opened. */
  watchNext(): void;
  close(): void;
}

/** Calls of an element that is in the page and registered. */
export function openCalls(): CallsBench {
  const vbot = document.body.appendChild(new FakeVbot());
  const life = new AbortController();
  const record = new Record();
  const socket = new SipSocket();
  const calls = new VbotCalls(vbot, record.note, socket);
  const reader: InboxReader = {
    arrived: () => undefined,
    read: (message, following) =>
      message.type === 'registered' ? calls.endLeft() : calls.read(message, following),
  };
  openInbox(vbot, reader, life.signal);
  const close = () => {
    calls.close();
    calls.removed();
    life.abort();
    vbot.remove();
  };
  return {
    calls,
    get call(): VbotCall {
      if (!calls.call) throw new Error('There is no call.');
      return calls.call;
    },
    get audio(): CallAudio {
      if (!calls.call?.audio) throw new Error('The call has no audio.');
      return calls.call.audio;
    },
    socket,
    vbot,
    record,
    watchNext: () => socket.watchNext((event) => calls.onSip(event)),
    close,
  };
}

export interface SdkBench {
  readonly sdk: VbotSdk;
  readonly vbot: FakeVbot;
  readonly record: Record;
}

/** A second after the last one was closed: the vendor's registrations need a rest. */
export async function openSdk(lease = new AbortController().signal, baseUrl?: string): Promise<SdkBench> {
  const record = new Record();
  const sdk = new VbotSdk(
    { url: '/sdk.js', integrity: '', nonce: '' },
    {
      onEvent: record.note,
      beforeRegistered: async () => undefined,
    },
  );
  await sdk.load();
  await settled(
    sdk.boot({ token: 't', baseUrl, sounds: {}, devices: SYSTEM_DEVICES, vendorUi: false }, lease),
  );
  const vbot = FakeVbot.current;
  if (!vbot) throw new Error('the SDK was never booted');
  return { sdk, vbot, record };
}

/** Without a time: long enough for what comes in a later task. */
export function rest(milliseconds = SOON_MS): Promise<void> {
  return passTime(milliseconds);
}

export { codeOf } from '../../support/code-of.ts';
