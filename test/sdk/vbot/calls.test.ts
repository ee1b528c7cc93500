import { expect } from '@open-wc/testing';
import { leap, nextTurn, setClock, settled } from '../../support/clock.ts';
import { openSocket, type PlayedSocket } from '../../support/socket.ts';
import { codeOf, openCalls, rest, type CallsBench } from './sdk-bench.ts';

let bench: CallsBench;
beforeEach(() => {
  bench = openCalls();
});
afterEach(() => {
  bench.close();
  bench.record.expectPairs();
});

const NUMBER = '0912345678';
const HOUR_MS = 3_600_000;
/** So long the dialer waits for the end that something else has told. */
const SILENT_END_MS = 1000;
const dial = (number = NUMBER) => bench.calls.dial(number, undefined, undefined);
const commands = (name: string) => bench.vbot.told.filter((told) => told.startsWith(name));

async function talk(): Promise<void> {
  await dial();
  bench.vbot.accept();
  await bench.record.until('answered');
}

/** The SDK waits for the microphone before its next call begins. */
function askFirst(): { grant: () => void } {
  const prompt = { grant: () => undefined as void };
  const makeCall = bench.vbot.makeCall.bind(bench.vbot);
  bench.vbot.makeCall = async (number) => {
    bench.vbot.makeCall = makeCall;
    await new Promise<void>((resolve) => {
      prompt.grant = resolve;
    });
    bench.vbot.dial(number);
  };
  return prompt;
}

describe('placing a call', () => {
  it('is refused while an old call is still ending, and works once that has ended', async () => {
    await dial();
    bench.vbot.hangupCall = () => undefined;
    bench.calls.hangUp();
    expect(await codeOf(dial())).to.equal('busy');
    bench.vbot.end('Cuộc gọi đã bị hủy');
    await bench.record.until('ended cancelled');
    await dial();
    bench.vbot.end('Thuê bao đang bận');
    await bench.record.until('ended busy');
  });

  it('waits while the browser still asks for one that was given up, and may be given up itself', async () => {
    const prompt = askFirst();
    const first = codeOf(dial());
    bench.calls.hangUp();
    const second = codeOf(dial('0987654321'));
    expect(await codeOf(dial())).to.equal('busy');
    bench.calls.hangUp();
    expect([await first, await second]).to.deep.equal(['call-rejected', 'call-rejected']);
    const third = dial('0987654321');
    prompt.grant();
    await third;
    expect(commands('makeCall')).to.deep.equal(['makeCall 0987654321']);
    expect(bench.record.names).to.deep.equal(['dialing']);
    bench.vbot.end();
    await bench.record.until('ended failed');
  });

  it('sends no INVITE when the machine has slept since the request', async () => {
    const socket = openSocket(() => bench.watchNext());
    const invite = `INVITE sip:b2bua SIP/2.0\r\nCall-ID: c1\r\nTo: <sip:${NUMBER}@b2bua>\r\nCSeq: 1 INVITE\r\n\r\n`;
    await dial();
    await bench.record.until('dialing');
    socket.send(invite);
    expect(socket.sent).to.have.length(1);
    setClock(2 * HOUR_MS);
    socket.send(invite);
    expect(socket.sent, 'two hours later').to.have.length(1);
    expect(bench.calls.leaving, 'no reply to it is awaited').to.equal(undefined);
    bench.vbot.end('Cuộc gọi đã bị hủy');
    await bench.record.until('ended network-lost');
  });

  it('of which the SDK says "dialing" only has begun all the same', async () => {
    bench.vbot.onMakeCall = (number) => {
      bench.vbot.getCallData = () => ({ id: 'out', phoneNumber: number, direction: 'outgoing' });
      bench.vbot.emit('onCallStateChange', { state: 'dialing' });
    };
    await dial();
    expect(bench.record.names).to.deep.equal(['dialing']);
    bench.vbot.getCallData = () => null;
    bench.vbot.emit('onCallEnded', { callData: { id: 'out' } });
    await bench.record.until('ended failed');
  });

  it('does not inherit the refusal of an earlier one, also on the SDK’s own screen', async () => {
    await dial();
    bench.calls.onSip({ type: 'invited', id: 'first' });
    bench.calls.onSip({ type: 'refused', id: 'first', status: 486 });
    bench.vbot.end('Thuê bao đang bận');
    await bench.record.until('ended busy');
    bench.vbot.dial('0987654321');
    await rest();
    bench.vbot.end('Payment Required');
    await bench.record.until('ended insufficient-funds');
    expect(bench.record.events.at(-1)).to.deep.include({ status: undefined });
  });

  it('fails with the reason of an SDK that throws', async () => {
    bench.vbot.makeCall = () => {
      bench.vbot.emit('onError', { message: 'Client chưa đăng ký' });
      throw new TypeError('inside the SDK');
    };
    expect(await codeOf(dial())).to.equal('not-ready');
    expect(await codeOf(dial())).to.equal('not-ready');
  });

  it('with an SDK that never answers ends, and the SDK counts as broken', async () => {
    bench.vbot.makeCall = () => new Promise(() => undefined);
    expect(await settled(codeOf(dial()))).to.equal('call-rejected');
    expect(await settled(codeOf(dial()))).to.equal('call-rejected');
    await bench.record.until('failed');
    expect(bench.record.names).to.deep.equal(['failed']);
  });

  it('gives way to a call that the SDK has already', async () => {
    bench.vbot.ring('0987654321');
    expect(await codeOf(dial())).to.equal('busy');
    await bench.record.until('incoming');
    bench.vbot.end();
    await bench.record.until('ended missed');
    // An SDK may remember its last call.
    const callData = { id: 'in-1', phoneNumber: '0987654321', direction: 'incoming' };
    Object.assign(bench.vbot, { getCallState: () => 'idle', getCallData: () => callData });
    void dial();
    expect(commands('makeCall')).to.have.length(1);
    for (const method of ['getCallState', 'getCallData']) Reflect.deleteProperty(bench.vbot, method);
    await bench.record.until('dialing');
    bench.vbot.end();
    await rest();
  });

  it('beats a call that comes in meanwhile: the caller is told that the line is busy', async () => {
    const prompt = askFirst();
    const dialling = dial();
    bench.vbot.ring('0987654321');
    await rest();
    expect(bench.vbot.session.terminations).to.deep.include(486);
    bench.vbot.end('Rejected');
    prompt.grant();
    await dialling;
    expect(bench.record.names).to.deep.equal(['dialing']);
    bench.vbot.end();
    await bench.record.until('ended failed');
  });

  it('ends with close()', async () => {
    bench.vbot.makeCall = () => new Promise(() => undefined);
    const dialling = codeOf(dial());
    bench.close();
    expect(await dialling).to.equal('not-ready');
  });
});

describe('the end of a call', () => {
  it('that only the SDK believes in is told to the exchange', async () => {
    await talk();
    bench.vbot.end();
    await bench.record.until('ended answered');
    expect(bench.vbot.session.terminations).to.deep.equal([undefined]);
  });

  it('is told by "idle" alone, after a moment', async () => {
    await talk();
    bench.vbot.getCallData = () => null;
    bench.vbot.emit('onCallStateChange', { state: 'idle' });
    await bench.record.until('ended answered');
  });

  it('is told by a failure alone, with its text', async () => {
    await dial();
    Object.assign(bench.vbot, { getCallState: () => 'ended' });
    bench.vbot.emit('onCallFailed', { error: 'Payment Required' });
    await bench.record.until('ended insufficient-funds');
    expect(bench.record.events.at(-1)).to.deep.include({ confidence: 'likely', reason: 'Payment Required' });
  });

  it('is not what is told late of an earlier one', async () => {
    await dial();
    Object.assign(bench.vbot, { getCallState: () => 'dialing' });
    bench.vbot.emit('onCallStateChange', { state: 'ended' });
    bench.vbot.emit('onCallFailed', { error: 'Payment Required' });
    bench.vbot.emit('onCallStateChange', { state: 'idle' });
    await rest(SILENT_END_MS + 500);
    expect(bench.record.names.at(-1)).to.equal('dialing');
    bench.vbot.end();
    await bench.record.until('ended failed');
  });

  it('is a failure when the browser cannot use the sound of the answer', async () => {
    await dial();
    const { session } = bench.vbot;
    Object.assign(bench.vbot, { getCallData: () => ({ id: 'out', direction: 'outgoing', session }) });
    await rest();
    session.emit('failed', { message: { status_code: 200 } });
    bench.vbot.end('Bad Media Description');
    await bench.record.until('ended failed');
    expect(bench.record.events.at(-1)).to.include({ status: undefined });
  });

  it('is told by the session alone', async () => {
    await talk();
    bench.vbot.session.emit('ended', {});
    await bench.record.until('ended answered');
  });

  it('comes once, however often the SDK says it', async () => {
    await dial();
    bench.vbot.end('Thuê bao đang bận');
    bench.vbot.end('Thuê bao đang bận');
    bench.vbot.emit('onCallAccepted', { callData: { id: 'out-1', direction: 'outgoing' } });
    bench.vbot.emit('onCallProgress', { callData: { id: 'out-1', direction: 'outgoing' } });
    await rest(1200);
    expect(bench.record.names).to.deep.equal(['dialing', 'ended busy']);
  });

  it('in one task with the answer is the end of an answered call', async () => {
    await dial();
    bench.vbot.accept();
    bench.vbot.end();
    await bench.record.until('ended answered');
    expect(bench.record.names).to.deep.equal(['dialing', 'answered', 'ended answered']);
  });

  it('after seconds without an answer is that of an answered call, too', async () => {
    await dial();
    bench.vbot.emit('onCallDuration', { duration: 3 });
    bench.vbot.end('WebRTC Error');
    await bench.record.until('ended answered');
    expect(bench.record.names).to.deep.equal(['dialing', 'answered', 'ended answered']);
  });
});

describe('a call that comes in', () => {
  it('whose socket is gone while it is being answered was lost with the network', async () => {
    bench.vbot.answerCall = () => new Promise(() => undefined);
    bench.vbot.ring(NUMBER);
    await bench.record.until('incoming');
    bench.call.answer();
    bench.calls.onSip({ type: 'lost' });
    await bench.record.until('ended network-lost');
  });

  it('is answered once, however often that is asked', async () => {
    bench.vbot.answerCall = async () => void bench.vbot.told.push('answerCall');
    bench.vbot.ring(NUMBER);
    await bench.record.until('incoming');
    bench.call.answer();
    bench.call.answer();
    await rest();
    expect(commands('answerCall')).to.have.length(1);
    bench.vbot.accept();
    await bench.record.until('answered');
    bench.call.answer();
    bench.vbot.end();
    await bench.record.until('ended answered');
    expect(commands('answerCall')).to.have.length(1);
  });

  for (const command of ['answer', 'hangUp'] as const)
    it(`is over: ${command}() does not reach the next caller, whom the SDK has already`, async () => {
      bench.vbot.ring(NUMBER);
      await bench.record.until('incoming');
      if (command === 'hangUp') bench.calls.hangUp();
      bench.vbot.end('Cuộc gọi đã bị hủy');
      bench.vbot.ring('0987654321', undefined, 'in-2');
      if (command === 'answer') bench.call.answer();
      await rest();
      expect(bench.vbot.told).to.deep.equal([]);
      expect(bench.record.names).to.have.length(3);
      expect(bench.record.names.at(-1)).to.equal('incoming');
      bench.vbot.end();
      await rest();
    });

  it('is answered when the page stands still after the press', async () => {
    bench.vbot.answerCall = async () => void setTimeout(() => bench.vbot.accept(), 500);
    bench.vbot.ring(NUMBER);
    await bench.record.until('incoming');
    bench.call.answer();
    await nextTurn();
    await leap(11_000);
    await bench.record.until('answered');
    expect(bench.record.names).to.deep.equal(['incoming', 'answered']);
    bench.vbot.end();
    await bench.record.until('ended answered');
  });

  it('rings while the browser still asks for a call that was given up, whose error does not count for the answer', async () => {
    const { vbot } = bench;
    const asking = Promise.withResolvers<void>();
    vbot.makeCall = () => asking.promise;
    const given = codeOf(dial());
    bench.calls.hangUp();
    expect(await given).to.equal('call-rejected');
    vbot.ring(NUMBER);
    await bench.record.until('incoming');
    vbot.answerCall = async () => {
      vbot.emit('onError', { message: 'Không thể truy cập microphone' });
      asking.resolve();
      await rest();
      vbot.accept();
    };
    bench.call.answer();
    await bench.record.until('answered');
    vbot.end();
    await bench.record.until('ended answered');
    expect(bench.record.names).to.deep.equal(['incoming', 'answered', 'ended answered']);
    vbot.makeCall = async (number) => vbot.dial(number);
    await dial();
    vbot.end();
    await bench.record.until('ended failed');
  });

  it('goes on when the SDK never places the call that was given up', async () => {
    bench.vbot.makeCall = () => new Promise(() => undefined);
    const given = codeOf(dial());
    bench.calls.hangUp();
    expect(await given).to.equal('call-rejected');
    bench.vbot.ring(NUMBER);
    await bench.record.until('incoming');
    await rest(30_000);
    bench.call.answer();
    await bench.record.until('answered');
    bench.vbot.end();
    await bench.record.until('ended answered');
    expect(bench.record.names).to.deep.equal(['incoming', 'answered', 'ended answered']);
  });

  it('is not lost to a second press when the SDK takes its time to answer', async () => {
    const { vbot } = bench;
    vbot.answerCall = async () => {
      vbot.told.push('answerCall');
      Object.assign(vbot.session, { isEstablished: () => true });
    };
    vbot.ring(NUMBER);
    await bench.record.until('incoming');
    bench.call.answer();
    await bench.record.until('answer-trouble');
    bench.call.answer();
    await rest();
    expect(commands('answerCall')).to.have.length(1);
    vbot.accept();
    await bench.record.until('answered');
    vbot.end();
    await bench.record.until('ended answered');
  });

  it('rings on when the SDK cannot answer, and can be answered then', async () => {
    bench.vbot.answerCall = async () =>
      bench.vbot.emit('onError', { message: 'Trình duyệt đang chặn quyền microphone' });
    bench.vbot.ring(NUMBER);
    await bench.record.until('incoming');
    bench.call.answer();
    await bench.record.until('answer-trouble');
    bench.vbot.answerCall = () => Promise.reject(new TypeError('inside the SDK'));
    bench.call.answer();
    await rest();
    const codes = bench.record.events.flatMap((event) =>
      event.type === 'answer-trouble' ? [event.error.code] : [],
    );
    expect(codes).to.deep.equal(['microphone-denied', 'call-rejected']);
    bench.vbot.answerCall = async () => bench.vbot.accept();
    bench.call.answer();
    await bench.record.until('answered');
    bench.vbot.end();
    await bench.record.until('ended answered');
  });

  it('can be answered again at once, however often the microphone fails with the same words', async () => {
    const { vbot } = bench;
    Object.assign(vbot.session, { isEstablished: () => false });
    let attempts = 0;
    vbot.answerCall = async () => {
      attempts += 1;
      // The SDK shows the same words once in 3 s.
      if (attempts === 1) vbot.emit('onError', { message: 'Không thể truy cập microphone' });
    };
    vbot.ring(NUMBER);
    await bench.record.until('incoming');
    for (const press of [1, 2, 3]) {
      bench.call.answer();
      await rest();
      expect([attempts, bench.record.names.filter((name) => name === 'answer-trouble').length]).to.deep.equal(
        [press, press],
      );
    }
    vbot.end();
    await bench.record.until('ended missed');
  });

  it('is answered whatever the SDK shows of another call meanwhile', async () => {
    const { vbot } = bench;
    vbot.answerCall = async () => {
      vbot.emit('onError', { message: 'Không thể truy cập microphone' });
      Object.assign(vbot.session, { isEstablished: () => true });
    };
    vbot.ring(NUMBER);
    await bench.record.until('incoming');
    bench.call.answer();
    await rest();
    vbot.accept();
    await bench.record.until('answered');
    expect(bench.record.names).to.deep.equal(['incoming', 'answered']);
    vbot.end();
    await bench.record.until('ended answered');
  });

  it('shows that a call is over of whose end nothing was said', async () => {
    await talk();
    bench.vbot.ring('0987654321');
    await bench.record.until('incoming');
    expect(bench.record.names.slice(-2)).to.deep.equal(['ended answered', 'incoming']);
    bench.vbot.end();
    await bench.record.until('ended missed');
  });
});

/** The next socket of the SDK, which has sent something. */
function nextSocket(): PlayedSocket {
  const socket = openSocket(() => bench.watchNext());
  socket.send('REGISTER sip:b2bua SIP/2.0\r\n');
  return socket;
}

/** A key leaves for the exchange. */
function leave(socket: PlayedSocket, key: string): void {
  socket.send(`INFO sip:b2bua SIP/2.0\r\nCSeq: 3 INFO\r\n\r\nSignal=${key}`);
}

function send(tones: string): { is: string } {
  const state = { is: 'waiting' };
  void codeOf(bench.call.sendDtmf(tones)).then(
    (code) => (state.is = code === 'resolved' ? 'sent' : String(code)),
  );
  return state;
}

describe('keys', () => {
  afterEach(async () => {
    bench.vbot.end();
    while (!bench.record.names.at(-1)?.startsWith('ended')) await rest();
  });

  it('are sent when the last one has left, those of each asking behind those before', async () => {
    await talk();
    const socket = nextSocket();
    const [first, second] = [send('12'), send('#')];
    expect(commands('sendDTMF')).to.deep.equal(['sendDTMF 12', 'sendDTMF #']);
    leave(socket, '1');
    await rest();
    expect([first.is, second.is]).to.deep.equal(['waiting', 'waiting']);
    leave(socket, '2');
    socket.send('INFO sip:b2bua SIP/2.0\r\nCSeq: 3 INFO\r\n\r\n');
    await rest();
    expect([first.is, second.is]).to.deep.equal(['sent', 'waiting']);
    leave(socket, '#');
    await rest();
    expect(second.is).to.equal('sent');
  });

  it('that had not left when the call ended were not sent', async () => {
    await talk();
    const socket = nextSocket();
    const keys = send('12');
    leave(socket, '1');
    bench.vbot.end();
    await bench.record.until('ended answered');
    await rest();
    expect(keys.is).to.equal('call-rejected');
  });

  it('that never leave are told of in time', async () => {
    await talk();
    const socket = nextSocket();
    const keys = send('1');
    await rest(3000);
    expect(keys.is).to.equal('call-rejected');
    const next = send('2');
    leave(socket, '2');
    await rest();
    expect(next.is, 'the next ones do not wait for them').to.equal('sent');
  });

  it('are sent, however long the page stands still between them', async () => {
    await talk();
    const socket = nextSocket();
    const keys = send('123');
    leave(socket, '1');
    // All timers of that time run late, one after the other: the SDK's first.
    setTimeout(() => leave(socket, '2'), 600);
    await leap(11_000);
    leave(socket, '3');
    await rest();
    expect(keys.is).to.equal('sent');
  });

  it('behind one that was lost with its socket do not leave without it', async () => {
    await talk();
    const session = Object.assign(bench.vbot.session, { _tones: '345' });
    session.terminate({ status_code: 500, reason_phrase: 'Connection Error' });
    expect(Reflect.get(session, '_tones')).to.equal(null);
    expect(session.terminations, 'and the call goes on').to.deep.equal([]);
  });

  it('of a socket that is new do not wait for those that were lost', async () => {
    await talk();
    nextSocket();
    const lost = send('12');
    const socket = nextSocket();
    const next = send('3');
    leave(socket, '3');
    await rest();
    expect([lost.is, next.is]).to.deep.equal(['waiting', 'sent']);
    await rest(4000);
    expect(lost.is).to.equal('call-rejected');
  });

  it('of a socket that cannot be seen are sent when the SDK has taken them', async () => {
    await talk();
    expect(await codeOf(bench.call.sendDtmf('1'))).to.equal('resolved');
  });

  it('of a socket that cannot be seen, after one that could, are sent when the SDK has taken them', async () => {
    await talk();
    nextSocket().close();
    bench.socket.registered();
    expect(await settled(codeOf(bench.call.sendDtmf('1')))).to.equal('resolved');
  });
});

describe('hold', () => {
  afterEach(async () => {
    bench.vbot.end();
    while (!bench.record.names.at(-1)?.startsWith('ended')) await rest();
  });

  it('taken back, then refused by the exchange, leaves the call as the agent wants it', async () => {
    await talk();
    const { session } = bench.vbot;
    let refuseNow: (() => void) | undefined;
    session.onHold = (_agree, refuse) => (refuseNow = refuse);
    const outcomes = Promise.all([codeOf(bench.audio.setHeld(true)), codeOf(bench.audio.setHeld(false))]);
    session.onHold = (agree) => agree();
    refuseNow?.();
    await rest();
    expect(await outcomes).to.deep.equal(['call-rejected', 'resolved']);
    expect(bench.record.names).not.to.include('held');
    expect(session.held).to.equal(false);
  });

  it('that the session cannot do now is refused at once', async () => {
    await talk();
    bench.vbot.session.isBusy = true;
    expect(await codeOf(bench.audio.setHeld(true))).to.equal('call-rejected');
  });

  it('cannot be asked for in a call that was not answered', async () => {
    await dial();
    expect(bench.calls.call?.audio).to.equal(undefined);
  });

  it('that the exchange has not agreed to ends with the call', async () => {
    await talk();
    bench.vbot.session.onHold = () => undefined;
    const outcome = codeOf(bench.audio.setHeld(true));
    bench.vbot.end();
    await bench.record.until('ended answered');
    expect(await outcome).to.equal('call-rejected');
  });

  it('lasts when the other party sends an offer', async () => {
    await talk();
    const { session } = bench.vbot;
    const answerTo = (offered: string) => {
      const answer = { originator: 'local', type: 'answer', sdp: `v=0\r\na=${offered}\r\n` };
      session.emit('sdp', answer);
      return answer.sdp.split('=').at(-1)?.trim();
    };
    expect(answerTo('sendrecv')).to.equal('sendrecv');
    await bench.audio.setHeld(true);
    expect([answerTo('sendrecv'), answerTo('recvonly')]).to.deep.equal(['sendonly', 'inactive']);
    await bench.audio.setHeld(false);
    expect(answerTo('sendrecv')).to.equal('sendrecv');
  });

  it('has its own time to be agreed to, whenever the call was held before', async () => {
    await talk();
    await bench.audio.setHeld(true);
    await bench.audio.setHeld(false);
    await rest(34_000);
    let agreeNow: (() => void) | undefined;
    bench.vbot.session.onHold = (agree) => (agreeNow = agree);
    const outcome = codeOf(bench.audio.setHeld(true));
    await rest(2000);
    agreeNow?.();
    expect(await outcome).to.equal('resolved');
  });
});
