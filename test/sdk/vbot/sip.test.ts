import { expect } from '@open-wc/testing';
import { SipSocket } from '../../../src/sdk/vbot/sip-socket.ts';
import { OpenCalls, type SipEvent } from '../../../src/sdk/vbot/sip.ts';
import { nextTurn, passTime } from '../../support/clock.ts';
import { openSocket } from '../../support/socket.ts';

const answer = (status: number, phrase: string, method = 'INVITE') =>
  `SIP/2.0 ${status} ${phrase}\r\nVia: SIP/2.0/WSS x\r\nCall-ID: 1\r\nCSeq: 7 ${method}\r\nContent-Length: 0\r\n\r\n`;

const INVITE = 'INVITE sip:x SIP/2.0\r\nCall-ID: 1\r\nCSeq: 7 INVITE\r\n\r\n';

const cancel = (reason: string) =>
  `CANCEL sip:x SIP/2.0\r\nCall-ID: 1\r\nCSeq: 7 CANCEL\r\nReason: ${reason}\r\nContent-Length: 0\r\n\r\n`;

/** The status with which this message refuses a call that was placed before. */
function readRefusal(message: string): number | undefined {
  const calls = new OpenCalls();
  calls.note(INVITE, true);
  const event = calls.note(message, false);
  return event?.type === 'refused' ? event.status : undefined;
}

/** Does this message say so of a call that rings here? */
function isAnsweredElsewhere(message: string): boolean {
  const calls = new OpenCalls();
  calls.note(INVITE, false);
  return calls.note(message, false)?.type === 'answered-elsewhere';
}

/** A socket that goes nowhere: what matters is what arrives on it. */
function open(protocol?: string): WebSocket {
  return new WebSocket('ws://127.0.0.1:9/', protocol);
}

const none = () => undefined;

/** Of an answered call. */
const within = (method: string, number: number, id = 1) =>
  `${method} sip:x SIP/2.0\r\nTo: <sip:x>;tag=x\r\nCSeq: ${number} ${method}\r\nCall-ID: ${id}\r\n\r\n`;

describe('hearing why a call was refused', () => {
  it('reads the status of a refused INVITE, whatever the phrase', () => {
    for (const phrase of ['Payment Required', 'Tài khoản không đủ số dư', '']) {
      expect(readRefusal(answer(402, phrase)), phrase).to.equal(402);
    }
    expect(readRefusal(answer(603, 'Decline').replace('CSeq:', 'cseq :'))).to.equal(603);
  });

  it('leaves alone what is no refusal of a call', () => {
    expect(readRefusal(answer(180, 'Ringing'))).to.equal(undefined);
    expect(readRefusal(answer(200, 'OK'))).to.equal(undefined);
    expect(readRefusal(answer(401, 'Unauthorized', 'REGISTER'))).to.equal(undefined);
    expect(readRefusal(answer(403, 'Forbidden', 'REGISTER'))).to.equal(undefined);
    expect(readRefusal(answer(200, 'OK') + answer(402, 'in a body'))).to.equal(undefined);
    expect(readRefusal('INVITE sip:x SIP/2.0\r\nCSeq: 1 INVITE\r\n\r\n')).to.equal(undefined);
    expect(readRefusal('\r\n\r\n')).to.equal(undefined);
  });

  it('takes a challenge for none, but the same status without one', () => {
    for (const name of ['WWW-Authenticate', 'Proxy-Authenticate']) {
      const challenge = answer(407, 'Auth').replace('Call-ID', `${name}: Digest realm="x"\r\nCall-ID`);
      expect(readRefusal(challenge), name).to.equal(undefined);
    }
    expect(readRefusal(answer(407, 'Member not in project'))).to.equal(407);
  });

  it('cancels a call that has been left, and ends one that is answered all the same', () => {
    const calls = new OpenCalls();
    calls.note(INVITE, true);
    expect(calls.note(answer(180, 'Ringing'), false)).to.equal(undefined);
    calls.leave('1');
    const methodsOwed = (status: number) => {
      const event = calls.note(answer(status, 'x'), false);
      return event?.type === 'owed' && event.requests.map((request) => request.split(' ')[0]);
    };
    expect(methodsOwed(183)).to.deep.equal(['CANCEL']);
    expect(methodsOwed(200)).to.deep.equal(['ACK', 'BYE']);
  });

  it('ends a call that was left before its challenge, and that JsSIP places again with its password', async () => {
    const heard: string[] = [];
    const tapped = new SipSocket();
    const socket = openSocket(() => tapped.watchNext(({ type }) => heard.push(type)));
    socket.send(INVITE);
    socket.receive(answer(100, 'Trying'));
    socket.send('CANCEL sip:x SIP/2.0\r\nCall-ID: 1\r\nCSeq: 7 CANCEL\r\n\r\n');
    // In the same task, as JsSIP does.
    socket.receive(answer(407, 'Auth').replace('Call-ID', 'Proxy-Authenticate: Digest realm="x"\r\nCall-ID'));
    socket.send(INVITE.replace('CSeq: 7', 'CSeq: 8'));
    await nextTurn();
    for (const status of [180, 200])
      socket.receive(answer(status, 'x').replace('CSeq: 7', 'Contact: <sip:y>\r\nCSeq: 8'));
    const owed = socket.sent.slice(3).map((message) => /^CSeq: (.*)/m.exec(message)?.[1]);
    expect(owed).to.deep.equal(['8 CANCEL', '8 ACK', '9 BYE']);
    expect(heard, 'of the left call').to.deep.equal(['invited', 'cancelled']);
  });

  it('takes the ACK of a challenge for no answer', () => {
    const calls = new OpenCalls();
    for (const message of [INVITE, within('ACK', 7)]) calls.note(message, true);
    expect(calls.note(answer(402, 'Payment Required'), false)).to.include({ type: 'refused', status: 402 });
  });

  it('reads that another device has answered', () => {
    for (const reason of [
      'SIP;cause=200;text="Call completed elsewhere"',
      'SIP ; cause=200',
      'sip;text="x";cause=200',
    ]) {
      expect(isAnsweredElsewhere(cancel(reason)), reason).to.equal(true);
    }
    for (const reason of ['SIP;cause=487', 'Q.850;cause=16', 'SIP;cause=2000', 'Q.850;cause=200']) {
      expect(isAnsweredElsewhere(cancel(reason)), reason).to.equal(false);
    }
    expect(isAnsweredElsewhere(cancel('SIP;cause=200').replace('CANCEL sip', 'BYE sip'))).to.equal(false);
  });

  it('taps one SIP socket and gives the page its constructor back in the same moment', () => {
    const original = globalThis.WebSocket;
    const heard: string[] = [];
    new SipSocket().watchNext(({ type }) => heard.push(type));
    expect(WebSocket.OPEN).to.equal(1);
    const other = open();
    expect(other).to.be.instanceOf(original);
    expect(globalThis.WebSocket).not.to.equal(original);
    const sip = open('sip');
    expect(globalThis.WebSocket).to.equal(original);
    for (const socket of [other, sip, open('sip')]) {
      for (const data of [INVITE, cancel('SIP;cause=200')])
        socket.dispatchEvent(new MessageEvent('message', { data }));
      socket.close();
    }
    sip.dispatchEvent(new MessageEvent('message', { data: new ArrayBuffer(4) }));
    expect(heard).to.deep.equal(['answered-elsewhere']);
  });

  it('tells once of a socket that was waited for twice, and gives the page its own constructor back', () => {
    const original = globalThis.WebSocket;
    const heard: string[] = [];
    const watch = () => new SipSocket().watchNext(({ type }) => heard.push(type));
    watch();
    watch();
    const socket = open('sip');
    for (const data of [INVITE, cancel('SIP;cause=200')])
      socket.dispatchEvent(new MessageEvent('message', { data }));
    socket.close();
    expect(globalThis.WebSocket).to.equal(original);
    expect(heard).to.deep.equal(['answered-elsewhere']);
  });

  it('leaves alone what the page has frozen', () => {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket') ?? {};
    Object.defineProperty(globalThis, 'WebSocket', { ...own, writable: false });
    new SipSocket().watchNext(none);
    expect(globalThis.WebSocket).to.equal(own.value);
    Object.defineProperty(globalThis, 'WebSocket', own);
  });

  it('hears of the end of the present socket, and not of the late end of an old one', () => {
    let losses = 0;
    const listener = ({ type }: SipEvent) => (losses += Number(type === 'lost'));
    const socket = new SipSocket();
    const [old, present] = [0, 1].map(() => {
      socket.watchNext(listener);
      return open('sip');
    });
    Object.defineProperty(present, 'readyState', { configurable: true, value: WebSocket.OPEN });
    old?.dispatchEvent(new CloseEvent('close'));
    expect(losses).to.equal(0);
    Object.defineProperty(present, 'readyState', { value: WebSocket.CLOSED });
    present?.dispatchEvent(new CloseEvent('close'));
    expect(losses).to.equal(1);
  });

  it('gives the ACK of a hold the number of its INVITE, though a key was sent since', () => {
    const tapped = new SipSocket();
    const socket = openSocket(() => tapped.watchNext(none));
    const others = [within('ACK', 9, 2), within('BYE', 9)];
    for (const message of [INVITE, within('INVITE', 8), within('INFO', 9), within('ACK', 9), ...others])
      socket.send(message);
    expect(socket.sent.slice(-3)).to.deep.equal([within('ACK', 8), ...others]);
  });

  it('sends the ACK of a hold whose reply was lost with its socket before the next one, and once', () => {
    const tapped = new SipSocket();
    const next = () => openSocket(() => tapped.watchNext(none));
    const first = next();
    const hold = within('INVITE', 8).replace(
      '\r\n',
      '\r\nVia: SIP/2.0/WSS x;branch=z1\r\nRoute: <sip:r>\r\n',
    );
    first.send(INVITE);
    first.receive(answer(200, 'OK'));
    for (const message of [within('ACK', 7), hold]) first.send(message);
    first.close();
    const second = next();
    const others = [within('INFO', 9), within('INVITE', 10), within('ACK', 10), within('INVITE', 11)];
    for (const message of others) second.send(message);
    const [key, ack = '', ...rest] = second.sent;
    expect([key, ...rest]).to.deep.equal(others);
    const [start, via, ...kept] = ack.split('\r\n');
    expect(start).to.equal('ACK sip:x SIP/2.0');
    expect(via).to.match(/^Via: SIP\/2\.0\/WSS x;branch=z9hG4bK[\w-]+$/);
    const of = ['Route: <sip:r>', 'To: <sip:x>;tag=x', 'Call-ID: 1', 'CSeq: 8 ACK'];
    expect(kept).to.deep.equal([...of, 'Max-Forwards: 70', 'Content-Length: 0', '', '']);
  });

  it('gives it back when no socket comes', async () => {
    const original = globalThis.WebSocket;
    new SipSocket().watchNext(none);
    await passTime(1100);
    expect(globalThis.WebSocket).to.equal(original);
  });
});
