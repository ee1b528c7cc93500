import { expect } from '@open-wc/testing';
import { SYSTEM_DEVICES } from '../../../src/sdk/calling-sdk.ts';
import { until } from '../../support/clock.ts';
import { SdkInput } from '../../support/fake-devices.ts';
import { codeOf, openCalls, rest, type CallsBench } from './sdk-bench.ts';

let bench: CallsBench;
/** What was asked for of the browser, in order. */
let requests: { grant: () => MediaStream; refuse: () => void }[];
let connection: RTCPeerConnection | undefined;
const audio = new AudioContext();

beforeEach(() => {
  bench = openCalls();
  requests = [];
  navigator.mediaDevices.getUserMedia = () =>
    new Promise((resolve, reject) => {
      const grant = () => {
        const { stream } = audio.createMediaStreamDestination();
        resolve(stream);
        return stream;
      };
      requests.push({ grant, refuse: () => reject(new DOMException('no', 'NotAllowedError')) });
    });
});
afterEach(() => {
  bench.close();
  connection?.close();
  Reflect.deleteProperty(navigator.mediaDevices, 'getUserMedia');
});

/** A call in which the SDK sends a microphone that was closed. */
async function talkWithDeadMicrophone(): Promise<RTCRtpSender> {
  const { vbot, calls, record } = bench;
  const { stream } = audio.createMediaStreamDestination();
  const dead = stream.getAudioTracks()[0] as MediaStreamTrack;
  dead.stop();
  connection = new RTCPeerConnection();
  const sender = connection.addTrack(dead, stream);
  Object.defineProperty(vbot.session, 'connection', { value: connection });
  const input = new SdkInput(() => sender);
  Object.assign(vbot, { setAudioInputDevice: (id: string) => input.use(id) });
  await calls.dial('0912345678', undefined, undefined);
  vbot.accept();
  await record.until('answered');
  return sender;
}

const open = () => navigator.mediaDevices.getUserMedia({ audio: true });
const stateOf = (stream: MediaStream | undefined) => stream?.getAudioTracks()[0]?.readyState;

describe('the microphone', () => {
  it('asked for twice to answer is closed twice, also when the caller gives up meanwhile', async () => {
    const { vbot, record } = bench;
    vbot.answerCall = async () => {
      await open();
      await open();
    };
    vbot.ring('0912345678');
    await record.until('incoming');
    bench.call.answer();
    const first = requests[0]?.grant();
    await rest();
    vbot.end('Cuộc gọi đã bị hủy');
    await record.until('ended missed');
    const second = requests[1]?.grant();
    await rest();
    expect([stateOf(first), stateOf(second)]).to.deep.equal(['ended', 'ended']);
  });

  for (const answer of ['grant', 'refuse'] as const)
    it(`that the browser ${answer}s when the caller has given up is kept from the SDK, which would answer the next caller`, async () => {
      const { vbot, record } = bench;
      const given: string[] = [];
      vbot.answerCall = async () => {
        await open().then(
          () => given.push('a microphone'),
          () => given.push('an error'),
        );
      };
      vbot.ring('0912345678');
      await record.until('incoming');
      bench.call.answer();
      vbot.end('Cuộc gọi đã bị hủy');
      await record.until('ended missed');
      const late = requests[0]?.[answer]();
      await rest();
      expect([given, late && stateOf(late)]).to.deep.equal([[], answer === 'grant' ? 'ended' : undefined]);
    });

  it('that is granted in the task in which the next caller rings is kept from the SDK, too', async () => {
    const { vbot, record } = bench;
    const given: MediaStream[] = [];
    vbot.answerCall = async () => void given.push(await open());
    vbot.ring('0912345678');
    await record.until('incoming');
    bench.call.answer();
    vbot.end('Cuộc gọi đã bị hủy');
    vbot.ring('0987654321', undefined, 'in-2');
    const late = requests[0]?.grant();
    await rest();
    expect([given, stateOf(late)]).to.deep.equal([[], 'ended']);
    vbot.end();
    await rest();
  });

  it('that is granted in the task in which somebody calls fails for the SDK, which would lose both calls', async () => {
    const { vbot, calls } = bench;
    const given: string[] = [];
    vbot.makeCall = async () => {
      await open().catch((error: DOMException) => given.push(error.name));
    };
    const dialling = codeOf(calls.dial('0912345678', undefined, undefined));
    await rest();
    vbot.ring('0987654321');
    const late = requests[0]?.grant();
    expect(await dialling).to.equal('call-rejected');
    expect([given, stateOf(late)]).to.deep.equal([['AbortError'], 'ended']);
    expect(vbot.session.terminations).to.include(486);
  });

  it('that is granted when the agent has given the call up fails for the SDK, which then places none', async () => {
    const { vbot, calls } = bench;
    const given: string[] = [];
    vbot.makeCall = async () => {
      await open().catch((error: DOMException) => given.push(error.name));
    };
    const dialling = calls.dial('0912345678', undefined, undefined).catch(() => undefined);
    await rest();
    calls.hangUp();
    const late = requests[0]?.grant();
    await dialling;
    await rest();
    expect([given, stateOf(late)]).to.deep.equal([['AbortError'], 'ended']);
  });

  it('of the page itself is left alone', async () => {
    const { vbot, calls, record } = bench;
    vbot.makeCall = async (number) => {
      await open();
      vbot.dial(number);
    };
    const dialling = calls.dial('0912345678', undefined, undefined);
    const pages = open();
    requests[0]?.grant();
    const stream = requests[1]?.grant();
    await pages;
    await dialling;
    vbot.end('Thuê bao đang bận');
    await record.until('ended busy');
    expect(stateOf(stream)).to.equal('live');
  });

  it('keeps no call from a page that has frozen its request', async () => {
    const { vbot, calls } = bench;
    const own = Object.getOwnPropertyDescriptor(navigator.mediaDevices, 'getUserMedia');
    Object.defineProperty(navigator.mediaDevices, 'getUserMedia', { ...own, writable: false });
    vbot.makeCall = async (number) => vbot.dial(number);
    await calls.dial('0912345678', undefined, undefined);
  });

  it('that the SDK uses again although it was closed is replaced by a live one', async () => {
    const { vbot, record } = bench;
    const sender = await talkWithDeadMicrophone();
    const fresh = requests[0]?.grant();
    await until(() => sender.track?.readyState === 'live', 'a live microphone');
    vbot.end();
    await record.until('ended answered');
    expect(stateOf(fresh)).to.equal('ended');
  });

  it('that replaces another one is not reported lost within the second of that one', async () => {
    const { record } = bench;
    const sender = await talkWithDeadMicrophone();
    const first = requests[0]?.grant().getAudioTracks()[0];
    await until(() => sender.track === first, 'a live microphone');
    await rest(800);
    first?.stop();
    // As when the browser tells of the devices. Firefox delivers no event that a page dispatches to a track.
    bench.calls.useDevices(SYSTEM_DEVICES);
    await until(() => requests.length === 2, 'the next request');
    await rest(400);
    const second = requests[1]?.grant().getAudioTracks()[0];
    await until(() => sender.track === second, 'the next microphone');
    await rest(1000);
    expect(record.names).not.to.include('microphone lost');
  });

  it('that cannot be replaced is reported lost', async () => {
    await talkWithDeadMicrophone();
    requests[0]?.refuse();
    await bench.record.until('microphone lost');
  });
});
