/** The end of a call on this side: what the exchange has to know of it, and what is told of it here. */
import { expect } from '@open-wc/testing';
import { endingsOf, OpenCalls } from '../../../src/sdk/vbot/sip.ts';
import { nextTurn, until } from '../../support/clock.ts';
import { openSocket } from '../../support/socket.ts';
import { FakeSession } from '../../support/fake-vbot.ts';
import { codeOf, openCalls, openSdk, rest, type CallsBench } from './sdk-bench.ts';

const NUMBER = '0912345678';
const CANCELLED = 'Cuộc gọi đã bị hủy';

const request = (method: string, id: string, tag = '') =>
  `${method} sip:x SIP/2.0\r\nTo: <sip:y>${tag}\r\nCall-ID: ${id}\r\nCSeq: 1 ${method}\r\n\r\n`;
const reply = (status: number, id: string, method = 'INVITE') =>
  `SIP/2.0 ${status} x\r\nCall-ID: ${id}\r\nCSeq: 1 ${method}\r\n\r\n`;

/** The container of the SDK's element, which is what a page can reach. */
const removeFromPage = (vbot: Element) => (vbot.getRootNode() as ShadowRoot).host.remove();

describe('a call that the agent has ended', () => {
  let bench: CallsBench;
  let first: WebSocket;
  let hasSocket = true;
  let exchange: { sends: (message: string) => void; gets: (message: string) => void };

  beforeEach(async () => {
    bench = openCalls();
    bench.watchNext();
    const socket = new WebSocket('ws://127.0.0.1:9/', 'sip');
    // Firefox delays a connection after others to the same address have failed.
    socket.close();
    await until(() => socket.readyState === WebSocket.CLOSED, 'its end');
    first = socket;
    hasSocket = true;
    Object.defineProperty(socket, 'readyState', {
      get: () => (hasSocket ? WebSocket.OPEN : WebSocket.CLOSED),
    });
    exchange = {
      sends: (data) => socket.dispatchEvent(new MessageEvent('message', { data })),
      gets: (message) => socket.send(message),
    };
  });
  afterEach(() => bench.close());

  /** The first one is lost. */
  async function nextSocket() {
    hasSocket = false;
    first.dispatchEvent(new Event('close'));
    bench.watchNext();
    const socket = new WebSocket('ws://127.0.0.1:9/', 'sip');
    socket.close();
    await until(() => socket.readyState === WebSocket.CLOSED, 'its end');
    Object.defineProperty(socket, 'readyState', { value: WebSocket.OPEN });
    const sent: unknown[] = [];
    socket.send = (message) => void sent.push(message);
    return { socket, sent };
  }

  const dial = () => bench.calls.dial(NUMBER, undefined, undefined);
  const hangUps = () => bench.vbot.told.filter((told) => told === 'hangupCall').length;

  async function talk(): Promise<void> {
    await dial();
    bench.vbot.accept();
    await bench.record.until('answered');
  }

  async function hangUpBeforeAck(): Promise<void> {
    exchange.sends(request('INVITE', 'in'));
    bench.vbot.ring(NUMBER);
    await bench.record.until('incoming');
    exchange.gets(reply(200, 'in'));
    bench.vbot.accept();
    await bench.record.until('answered');
    bench.calls.hangUp();
    await bench.record.until('ended answered');
  }

  async function loseSound(): Promise<void> {
    const connection = Object.assign(new EventTarget(), {
      connectionState: 'connected',
      getSenders: () => [],
      getReceivers: () => [],
    });
    Object.defineProperty(bench.vbot.session, 'connection', { value: connection });
    await talk();
    hasSocket = false;
    connection.connectionState = 'failed';
    connection.dispatchEvent(new Event('connectionstatechange'));
    await bench.record.until('ended answered');
  }

  it('because its sound is lost for good is hung up at the exchange when the socket is back', async () => {
    await loseSound();
    await rest(6000);
    expect(hangUps(), 'without a socket').to.equal(0);
    let isTold = false;
    void bench.calls.leaving?.then(() => (isTold = true));
    hasSocket = true;
    bench.calls.endLeft();
    await until(() => isTold, 'that the exchange knows');
    expect(hangUps()).to.equal(1);
    expect(bench.calls.leaving).to.equal(undefined);
    expect(bench.record.names).to.deep.equal(['dialing', 'answered', 'ended answered']);
  });

  it('as its answer came, and without a socket, is told as answered before it is told as over', async () => {
    await dial();
    hasSocket = false;
    Object.assign(bench.vbot, { getCallState: () => 'in-call' });
    bench.vbot.accept();
    bench.calls.hangUp();
    await bench.record.until('ended answered');
    expect(bench.record.names).to.deep.equal(['dialing', 'answered', 'ended answered']);
  });

  it('by JsSIP, whose browser says that its sound is lost, is hung up when the socket is back', async () => {
    await talk();
    hasSocket = false;
    const { session } = bench.vbot;
    session.terminate({ status_code: 408, reason_phrase: 'RTP Timeout' });
    expect(bench.record.names).to.deep.equal(['dialing', 'answered', 'ended answered']);
    expect([hangUps(), session.terminations.length], 'without a socket').to.deep.equal([0, 0]);
    hasSocket = true;
    bench.calls.endLeft();
    await until(() => hangUps() === 1 && session.terminations.length > 0, 'the hang-up');
  });

  it('in the moment of its answer, in which the socket goes, is hung up when the socket is back', async () => {
    await dial();
    bench.vbot.accept();
    hasSocket = false;
    bench.calls.hangUp();
    await bench.record.until('ended answered');
    expect(hangUps(), 'without a socket').to.equal(0);
    hasSocket = true;
    bench.calls.endLeft();
    await until(() => hangUps() === 1, 'the hang-up');
  });

  it('before the caller knows of the answer is hung up when they know', async () => {
    await hangUpBeforeAck();
    await rest(6000);
    expect(hangUps(), 'before the ACK').to.equal(0);
    exchange.sends(request('ACK', 'in', ';tag=1'));
    await nextTurn();
    expect(hangUps()).to.equal(1);
  });

  it('before the caller knows of the answer, whose ACK is lost with the socket, is hung up over the next one', async () => {
    const given: string[] = [];
    const receiveRequest = ({ method }: { method: string }) => void given.push(method);
    Object.assign(bench.vbot.session, { receiveRequest });
    await hangUpBeforeAck();
    await nextSocket();
    expect(hangUps(), 'without a socket').to.equal(0);
    expect(given, 'JsSIP waits for it no longer').to.include('ACK');
    bench.socket.registered();
    bench.calls.endLeft();
    await nextTurn();
    expect(hangUps()).to.equal(1);
  });

  it('is given up after a minute in which no socket comes', async () => {
    exchange.gets(request('INVITE', 'a'));
    exchange.sends(reply(200, 'a'));
    await loseSound();
    await rest(55_000);
    expect([hangUps(), bench.calls.leaving !== undefined]).to.deep.equal([0, true]);
    await rest(7000);
    expect([hangUps(), bench.calls.leaving]).to.deep.equal([1, undefined]);
  });

  it('without a socket neither sends nor plays sound, and opens no microphone any more', async () => {
    const asked: string[] = [];
    Object.assign(bench.vbot, { setAudioInputDevice: async (id: string) => void asked.push(id) });
    const connection = new RTCPeerConnection();
    const { sender, receiver } = connection.addTransceiver(
      new AudioContext().createMediaStreamDestination().stream.getTracks()[0] ?? 'audio',
    );
    Object.defineProperty(bench.vbot.session, 'connection', { value: connection });
    await talk();
    hasSocket = false;
    bench.calls.hangUp();
    await bench.record.until('ended answered');
    expect([sender, receiver].map(({ track }) => track?.readyState)).to.deep.equal(['ended', 'ended']);
    bench.calls.useDevices({ microphone: 'm2', speaker: '' });
    await rest();
    expect(asked).to.deep.equal([]);
    connection.close();
  });

  it('by leaving is ended at once, although the SDK hangs up late', async () => {
    const { session } = bench.vbot;
    Object.assign(bench.vbot, { hangupCall: () => undefined });
    await talk();
    bench.calls.close();
    await rest(500);
    expect(session.terminations).to.deep.equal([undefined]);
  });

  it('leaves no SDK that rings for the next caller while it waits for the reply', async () => {
    await talk();
    exchange.gets(request('INVITE', 'a'));
    bench.calls.close();
    bench.vbot.end();
    await rest();
    expect(bench.calls.leaving).not.to.equal(undefined);
    bench.vbot.session = new FakeSession();
    bench.vbot.ring('0987654321');
    await rest();
    expect(bench.vbot.session.terminations).to.include(486);
    expect(bench.calls.call).to.equal(undefined);
  });

  it('keeps the SDK until the exchange has replied, also when the answer crosses', async () => {
    await dial();
    exchange.gets(request('INVITE', 'a'));
    exchange.sends(reply(180, 'a'));
    bench.calls.hangUp();
    exchange.gets(request('CANCEL', 'a'));
    await bench.record.until('ended cancelled');
    expect(bench.calls.leaving, 'before the final reply').not.to.equal(undefined);
    exchange.sends(reply(200, 'a'));
    expect(bench.calls.leaving, 'before the reply to BYE').not.to.equal(undefined);
    exchange.sends(reply(200, 'a', 'BYE'));
    expect(bench.calls.leaving).to.equal(undefined);
  });

  it('is told to the exchange again over the next socket, until it replies', async () => {
    const bye = request('BYE', 'a', ';tag=t');
    exchange.gets(request('INVITE', 'a'));
    exchange.sends(reply(200, 'a'));
    exchange.gets(bye);
    const { socket, sent } = await nextSocket();
    bench.socket.registered();
    expect(sent, 'again').to.deep.equal([bye]);
    socket.dispatchEvent(new MessageEvent('message', { data: reply(200, 'a', 'BYE') }));
    bench.socket.registered();
    expect(sent, 'once there is a reply').to.deep.equal([bye]);
  });

  it('by the loss of the socket while it rang out is cancelled over the next socket', async () => {
    const said = ['Via: SIP/2.0/WS x;branch=z1', 'To: <sip:y>', 'Call-ID: a', 'CSeq: 2 INVITE'];
    exchange.gets(['INVITE sip:y SIP/2.0', ...said, 'Contact: <sip:x>', '', 'v=0'].join('\r\n'));
    const { socket, sent } = await nextSocket();
    bench.socket.registered();
    said[3] = 'CSeq: 2 CANCEL';
    const end = ['Max-Forwards: 70', 'Content-Length: 0', '', ''];
    const cancel = ['CANCEL sip:y SIP/2.0', ...said, ...end].join('\r\n');
    expect(sent).to.deep.equal([cancel]);
    socket.dispatchEvent(new MessageEvent('message', { data: reply(200, 'a', 'CANCEL') }));
    expect(bench.calls.leaving).to.equal(undefined);
  });

  it('is ended by ACK and BYE, along the way of the answer that crosses the CANCEL', () => {
    const kept = ['From: <sip:x>;tag=f', 'To: <sip:y>;tag=t', 'Call-ID: a'];
    const route = ['Record-Route: <sip:3;lr>, <sip:a,b@2;lr>', 'Record-Route: <sip:1;lr>'];
    const head = ['Via: SIP/2.0/WS x;branch=z1;rport', ...kept, 'CSeq: 7 INVITE', ...route];
    const answer = ['SIP/2.0 200 OK', ...head, 'Contact: "y" <sip:y@z;ob>;+sip.ice', 'Content-Length: 3'];
    const [ack, bye] = endingsOf(answer.join('\r\n')).map((message) => message.split('\r\n'));
    const branches = [ack, bye].map((lines) => lines?.splice(-6, 1)[0]);
    expect(new Set(branches).size).to.equal(2);
    for (const via of branches) expect(via).to.match(/^Via: SIP\/2\.0\/WS x;branch=z9hG4bK[\w-]+;rport$/);
    const way = ['Route: <sip:1;lr>', 'Route: <sip:a,b@2;lr>', 'Route: <sip:3;lr>', ...kept.toReversed()];
    const end = ['Max-Forwards: 70', 'Content-Length: 0', '', ''];
    expect(ack).to.deep.equal(['ACK sip:y@z;ob SIP/2.0', ...way, 'CSeq: 7 ACK', ...end]);
    expect(bye).to.deep.equal(['BYE sip:y@z;ob SIP/2.0', ...way, 'CSeq: 8 BYE', ...end]);
  });

  it('gets its BYE again over the next socket, also when the answer has crossed the CANCEL', async () => {
    exchange.gets(request('INVITE', 'a'));
    exchange.gets(request('CANCEL', 'a'));
    exchange.sends(reply(200, 'a'));
    const { sent } = await nextSocket();
    bench.socket.registered();
    expect(sent.map((message) => String(message).slice(0, 3))).to.deep.equal(['ACK', 'BYE']);
  });

  it('on the SDK’s own screen was cancelled, or declined', async () => {
    bench.vbot.dial(NUMBER);
    await bench.record.until('dialing');
    exchange.gets(request('INVITE', 'a'));
    exchange.gets(request('CANCEL', 'a'));
    bench.vbot.end(CANCELLED);
    await bench.record.until('ended cancelled');
    bench.vbot.ring(NUMBER);
    await bench.record.until('incoming');
    exchange.sends(request('INVITE', 'b'));
    exchange.gets(reply(480, 'b'));
    bench.vbot.end('Rejected');
    await bench.record.until('ended declined');
  });

  it('is lost, not cancelled, if JsSIP cancels it because its sound is lost before the answer', async () => {
    bench.vbot.dial(NUMBER);
    await bench.record.until('dialing');
    exchange.gets(request('INVITE', 'a'));
    exchange.sends(reply(183, 'a'));
    const reason = 'Reason: SIP ;cause=408 ;text="RTP Timeout"';
    exchange.gets(request('CANCEL', 'a').replace('CSeq', `${reason}\r\nCSeq`));
    bench.vbot.end(CANCELLED);
    await bench.record.until('ended network-lost');
    expect(bench.record.events.at(-1)).to.deep.include({ confidence: 'likely' });
  });

  it('that nobody has ended is still lost or missed', async () => {
    bench.vbot.dial(NUMBER);
    await bench.record.until('dialing');
    exchange.gets(request('INVITE', 'a'));
    bench.vbot.end(CANCELLED);
    await bench.record.until('ended network-lost');
    bench.vbot.ring(NUMBER);
    await bench.record.until('incoming');
    exchange.sends(request('INVITE', 'b'));
    exchange.sends(request('INVITE', 'other'));
    exchange.gets(reply(486, 'other'));
    exchange.sends(request('CANCEL', 'b'));
    bench.vbot.end(CANCELLED);
    await bench.record.until('ended missed');
  });

  it('is missed, although another caller, who was turned away, was answered elsewhere', async () => {
    exchange.sends(request('INVITE', 'a'));
    bench.vbot.ring(NUMBER);
    await bench.record.until('incoming');
    exchange.sends(request('INVITE', 'other'));
    exchange.gets(reply(486, 'other'));
    exchange.sends(request('CANCEL', 'other').replace('CSeq', 'Reason: SIP;cause=200\r\nCSeq'));
    exchange.sends(request('CANCEL', 'a'));
    bench.vbot.end(CANCELLED);
    await bench.record.until('ended missed');
  });

  it('and that gets no reply lets the SDK go, but not while the exchange has the next one open', async () => {
    const call = (id: string) => {
      exchange.gets(request('INVITE', id));
      exchange.sends(reply(200, id));
    };
    call('a');
    exchange.gets(request('BYE', 'a', ';tag=t'));
    expect(bench.socket.openCalls.replying, 'to the first BYE').not.to.equal(undefined);
    call('b');
    await rest(35_000);
    exchange.gets(request('BYE', 'b', ';tag=t'));
    expect(bench.socket.openCalls.replying, 'to the second one').not.to.equal(undefined);
  });

  it('gives its late refusal to no other call', async () => {
    await dial();
    exchange.gets(request('INVITE', 'a'));
    bench.calls.hangUp();
    await bench.record.until('ended cancelled');
    await dial();
    exchange.sends(reply(487, 'a'));
    exchange.gets(request('INVITE', 'b'));
    exchange.sends(reply(487, 'a'));
    bench.vbot.end('Thuê bao đang bận');
    await bench.record.until('ended busy');
    expect(bench.record.events.at(-1)).to.deep.include({ status: undefined });
  });

  it('takes no refusal from the next one, if JsSIP places it again with its password', async () => {
    await dial();
    exchange.gets(request('INVITE', 'a'));
    bench.calls.hangUp();
    exchange.gets(request('CANCEL', 'a'));
    await bench.record.until('ended cancelled');
    await dial();
    await bench.record.until('dialing');
    exchange.gets(request('INVITE', 'a'));
    exchange.gets(request('INVITE', 'b'));
    exchange.sends(reply(402, 'b'));
    bench.vbot.end('Thuê bao đang bận');
    await bench.record.until('ended insufficient-funds');
  });
});

describe('the calls that the exchange has open', () => {
  const [SENT, GOT] = ['sent', 'got'] as const;
  const CASES: readonly (readonly [boolean, string, ...(readonly (readonly ['sent' | 'got', string])[])])[] =
    [
      [true, 'one that rings', [SENT, request('INVITE', 'a')], [GOT, reply(180, 'a')]],
      [false, 'one that was refused', [SENT, request('INVITE', 'a')], [GOT, reply(486, 'a')]],
      [
        true,
        'one in which a hold was refused',
        [SENT, request('INVITE', 'a')],
        [GOT, reply(200, 'a')],
        [SENT, request('INVITE', 'a', ';tag=t')],
        [GOT, reply(488, 'a')],
      ],
      [
        true,
        'one whose CANCEL has a reply, but not its INVITE',
        [SENT, request('INVITE', 'a')],
        [SENT, request('CANCEL', 'a')],
        [GOT, reply(200, 'a', 'CANCEL')],
      ],
      [
        false,
        'one that the caller gave up',
        [GOT, request('INVITE', 'a')],
        [SENT, reply(180, 'a')],
        [GOT, request('CANCEL', 'a')],
      ],
      [
        false,
        'one that the other party ended',
        [GOT, request('INVITE', 'a')],
        [SENT, reply(200, 'a')],
        [GOT, request('BYE', 'a', ';tag=t')],
      ],
      [
        true,
        'one whose BYE has no reply',
        [GOT, request('INVITE', 'a')],
        [SENT, reply(200, 'a')],
        [SENT, request('BYE', 'a', ';tag=t')],
      ],
      [
        true,
        'the other one of two',
        [SENT, request('INVITE', 'a')],
        [GOT, reply(200, 'a')],
        [GOT, request('INVITE', 'b')],
        [SENT, reply(486, 'b')],
      ],
    ];
  for (const [isOpen, name, ...messages] of CASES)
    it(`${isOpen ? 'are' : 'are not'} ${name}`, () => {
      const calls = new OpenCalls();
      for (const [way, message] of messages) calls.note(message, way === SENT);
      expect(calls.replying !== undefined).to.equal(isOpen);
    });
});

it('a call that was left is told to the exchange over a socket that is still open when that is known', async () => {
  const { sdk, vbot, record } = await openSdk();
  const open = () => openSocket(() => vbot.emit('onConnecting'));
  const first = open();
  await record.until('registered');
  await sdk.dial(NUMBER, undefined, undefined);
  vbot.accept();
  await record.until('answered');
  first.close();
  sdk.hangUp();
  const second = open();
  vbot.emit('onUserConnected');
  second.close();
  await rest();
  expect(vbot.told).not.to.include('hangupCall');
  open();
  vbot.emit('onUserConnected');
  await until(() => vbot.told.includes('hangupCall'), 'the BYE');
  await sdk.close();
});

describe('an element that the page removes', () => {
  it('while idle is out of use at once', async () => {
    const { sdk, vbot, record } = await openSdk();
    await record.until('registered');
    removeFromPage(vbot);
    expect(await codeOf(sdk.dial(NUMBER, undefined, undefined))).to.equal('not-ready');
    expect(record.names).to.deep.equal(['registered', 'failed']);
    await sdk.close();
  });

  it('ends the call that does not ring yet', async () => {
    const { sdk, vbot, record } = await openSdk();
    await record.until('registered');
    await sdk.dial(NUMBER, undefined, undefined);
    removeFromPage(vbot);
    await record.until('failed');
    expect(record.names).to.deep.equal(['registered', 'dialing', 'ended network-lost', 'failed']);
    await sdk.close();
  });

  it('had its call cancelled if the agent has just hung up', async () => {
    const { sdk, vbot, record } = await openSdk();
    await record.until('registered');
    await sdk.dial(NUMBER, undefined, undefined);
    vbot.hangupCall = () => undefined;
    sdk.hangUp();
    removeFromPage(vbot);
    await record.until('failed');
    expect(record.names).to.deep.equal(['registered', 'dialing', 'ended cancelled', 'failed']);
    await sdk.close();
  });

  it('is told its settings once, however often they are set', async () => {
    const { sdk, vbot } = await openSdk();
    let changes = 0;
    const observer = new MutationObserver((records) => (changes += records.length));
    observer.observe(vbot, { attributeFilter: ['config'] });
    sdk.setSounds({});
    sdk.setSounds({ ringtone: '/a.wav' });
    sdk.setSounds({ ringtone: '/a.wav' });
    await rest();
    expect(changes).to.equal(1);
    await sdk.close();
  });
});
