import { expect } from '@open-wc/testing';
import type { SdkCall } from '../../../src/sdk/calling-sdk.ts';
import { OpenCalls } from '../../../src/sdk/vbot/sip.ts';
import {
  button,
  nextTurn,
  openReady,
  press,
  reaches,
  sdk,
  talkOn,
  textOf,
  until,
} from '../../support/dialer.ts';
import { centerOf, hesitate, pressAt } from '../../support/pointer.ts';

const invite = (from: string, id = 'call-2', to = '<sip:101@exchange>') =>
  `INVITE sip:101@10.0.0.1 SIP/2.0\r\nVia: SIP/2.0/WSS x\r\nFrom: ${from};tag=a1\r\nTo: ${to}\r\nCall-ID: ${id}\r\nCSeq: 1 INVITE\r\n\r\nv=0\r\n`;
const answer = (status: string, id = 'call-2', method = 'INVITE') =>
  `SIP/2.0 ${status}\r\nFrom: x\r\nTo: y\r\nCall-ID: ${id}\r\nCSeq: 1 ${method}\r\n\r\n`;

describe('a caller whom the SDK turns away', () => {
  it('is read off the INVITE, however the header is written', () => {
    expect(read(invite('"Trần \\"Lan\\"" <sip:0987654321@exchange>'))).to.deep.equal([
      '0987654321',
      'Trần "Lan"',
    ]);
    expect(read(invite('<sip:%2B84987654321@exchange;user=phone>'))).to.deep.equal([
      '+84987654321',
      undefined,
    ]);
    expect(read(invite('Lan <sips:0987654321@exchange>'))).to.deep.equal(['0987654321', 'Lan']);
    expect(read(invite('"Anonymous" <sip:anonymous@anonymous.invalid>'))).to.deep.equal([
      'anonymous',
      undefined,
    ]);
    expect(read(invite('sip:0987654321@exchange'))).to.deep.equal(['0987654321', undefined]);
    expect(read(invite('sip:%E0%A4%A@exchange'))).to.deep.equal(['%E0%A4%A', undefined]);
    const compact = invite('<sip:0987654321@x>').replace('From:', 'f:').replace('Call-ID:', 'i :');
    expect(read(compact)).to.deep.equal(['0987654321', undefined]);
  });

  it('is none where the call rings, is declined, or belongs to a call that goes on', () => {
    const calls = new OpenCalls();
    const callers = {
      noteReceived: (message: string) => calls.note(message, false),
      noteSent: turnedAway(calls),
    };
    for (const status of ['100 Trying', '180 Ringing', '480 Temporarily Unavailable']) {
      callers.noteReceived(invite('<sip:0987654321@x>'));
      expect(callers.noteSent(answer(status)), status).to.equal(undefined);
    }
    expect(callers.noteSent(answer('486 Busy Here')), 'it had its final answer').to.equal(undefined);
    callers.noteReceived(invite('<sip:0987654321@x>', 'call-1', '<sip:101@x>;tag=b2'));
    expect(callers.noteSent(answer('486 Busy Here', 'call-1')), 'an offer within a call').to.equal(undefined);
    callers.noteReceived(invite('<sip:0987654321@x>'));
    expect(callers.noteSent(answer('486 Busy Here', 'call-2', 'OPTIONS'))).to.equal(undefined);
    expect(callers.noteSent('\r\n\r\n')).to.equal(undefined);
    expect(callers.noteSent(answer('486 Busy Here'))?.number).to.equal('0987654321');
    expect(callers.noteSent(answer('486 Busy Here')), 'told once').to.equal(undefined);
  });

  it('is a missed call with a way to call back, while the call goes on undisturbed', async () => {
    const { dialer, events } = await openReady();
    const turnAway = await openSocket();
    await talkOn(dialer);
    const before = [...events];
    turnAway('"Lan" <sip:0987654321@x>');
    await until(() => textOf(dialer).includes('Missed call Lan'), 'the missed call');
    await expect(dialer).to.be.accessible();
    dialer.shadowRoot?.querySelector<HTMLElement>('.strip.missed button')?.click();
    await until(() => textOf(dialer).includes('Up next'), 'that it was kept');
    await dialer.setMuted(true);
    expect(dialer.state.status).to.equal('in-call');
    expect(events, 'no event tells').to.deep.equal(before);
    await dialer.hangUp();
    await reaches(dialer, 'ended');
    expect(dialer.shadowRoot?.querySelector('input')?.value).to.equal('0987654321');
    await press(dialer, 'Call');
    await until(() => dialer.state.call.is === 'dialing', 'the call back');
    expect(sdk().told.at(-1)).to.include('makeCall 0987654321');
  });

  it('is still up next when the agent kept them while the other call was ringing, and that one is answered', async () => {
    const { dialer } = await openReady();
    const turnAway = await openSocket();
    await dialer.call('0912345678');
    turnAway('"Lan" <sip:0987654321@x>');
    await until(() => textOf(dialer).includes('Missed call Lan'), 'the missed call');
    dialer.shadowRoot?.querySelector<HTMLElement>('.strip.missed button')?.click();
    sdk().accept();
    await reaches(dialer, 'in-call');
    await dialer.hangUp();
    await reaches(dialer, 'ended');
    expect(dialer.shadowRoot?.querySelector('input')?.value).to.equal('0987654321');
  });

  it('is not kept for later by a press that was meant for the caller before', async () => {
    const { dialer } = await openReady();
    const turnAway = await openSocket();
    await talkOn(dialer);
    turnAway('"Lan" <sip:0987654321@x>');
    await until(() => textOf(dialer).includes('Missed call Lan'), 'the missed call');
    await hesitate();
    const place = centerOf(button(dialer, 'Call back'));
    turnAway('"Nam" <sip:0909090909@x>', 'call-3');
    await until(() => textOf(dialer).includes('2 missed calls Nam'), 'the next one');
    await pressAt(place);
    await nextTurn();
    await dialer.updateComplete;
    expect(textOf(dialer)).not.to.include('Up next');
    await hesitate();
    await pressAt(place);
    await until(() => textOf(dialer).includes('Up next'), 'what was meant');
  });
});

/** Whom a message to the exchange turns away. */
function turnedAway(calls: OpenCalls) {
  return (message: string): SdkCall | undefined => {
    const event = calls.note(message, true);
    return event?.type === 'busy' ? event.call : undefined;
  };
}

/** Number and name of who is turned away. */
function read(message: string): unknown[] {
  const calls = new OpenCalls();
  calls.note(message, false);
  const { number, name } = turnedAway(calls)(answer('486 Busy Here')) ?? {};
  return [number, name];
}

/** The SDK opens its socket when it connects, and the adapter looks on. Nobody takes it, so what it says of itself is played. */
async function openSocket(): Promise<(from: string, id?: string) => void> {
  sdk().emit('onConnecting');
  const socket = new WebSocket('ws://127.0.0.1:9/', 'sip');
  await until(() => socket.readyState === WebSocket.CLOSED, 'its end');
  Object.defineProperty(socket, 'readyState', { value: WebSocket.OPEN });
  return (from, id) => {
    socket.dispatchEvent(new MessageEvent('message', { data: invite(from, id) }));
    socket.send(answer('486 Busy Here', id));
  };
}
