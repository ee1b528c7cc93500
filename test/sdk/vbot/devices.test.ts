/** The devices of a call, given to the SDK by its own methods, which unmute and leave microphones open. */
import { expect } from '@open-wc/testing';
import { nextTurn, until } from '../../support/clock.ts';
import { BUILT_IN, FakeDevices, HEADSET, SdkInput } from '../../support/fake-devices.ts';
import { codeOf, openCalls, rest, type CallsBench } from './sdk-bench.ts';

let bench: CallsBench;
let browser: FakeDevices;
let connection: RTCPeerConnection;
/** What the SDK's methods were called with. */
let asked: string[];
/** Whether a track was heard at the moment in which it was sent. */
let wasHeard: boolean[];

const use = (microphone: string, speaker = '') => bench.calls.useDevices({ microphone, speaker });
const sender = () => connection.getSenders()[0];
const isOn = () => sender()?.track?.enabled;
const sent = () => browser.opened.find(({ track }) => track === sender()?.track)?.id;

beforeEach(async () => {
  bench = openCalls();
  browser = new FakeDevices(BUILT_IN, HEADSET);
  connection = new RTCPeerConnection();
  asked = [];
  wasHeard = [];
  const { vbot } = bench;
  Object.defineProperty(vbot.session, 'connection', { value: connection });
  const input = new SdkInput(sender, (track) => wasHeard.push(track?.enabled === true));
  vbot.makeCall = async (number) => {
    input.stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    for (const track of input.stream.getTracks()) connection.addTrack(track, input.stream);
    vbot.dial(number);
  };
  Object.assign(vbot, {
    setAudioInputDevice: (id: string) => {
      asked.push(`input ${id}`);
      return input.use(id);
    },
    setAudioOutputDevice: async (id: string) => void asked.push(`output ${id}`),
  });
});
afterEach(() => {
  connection.close();
  bench.close();
  browser.restore();
});

async function talk(): Promise<void> {
  await bench.calls.dial('0912345678', undefined, undefined);
  bench.vbot.accept();
  await bench.record.until('answered');
}

/** An empty one is the system's. */
function sends(id: string): Promise<void> {
  return until(() => sent() === id, `a call with the microphone "${id}"`);
}

async function staysAsItIs(): Promise<void> {
  await rest();
  expect(browser.live).to.deep.equal(['']);
  expect(sender()?.track?.readyState).to.equal('live');
  expect(bench.record.names).not.to.include('microphone lost');
}

async function talkWithHeadset(): Promise<void> {
  use('m2');
  await talk();
  await sends('m2');
}

describe('the devices of a call', () => {
  it('are not touched while there is none', async () => {
    use('m2', 's2');
    await rest();
    expect(asked).to.deep.equal([]);
    expect(browser.opened).to.deep.equal([]);
  });

  it('are the chosen ones, and one microphone is open', async () => {
    use('m2', 's2');
    await talk();
    await sends('m2');
    await rest();
    expect(asked).to.deep.equal(['output s2']);
    expect(
      browser.opened.map(({ id }) => id),
      'from the first word on',
    ).to.deep.equal(['m2']);
    expect(browser.live).to.deep.equal(['m2']);
    bench.vbot.end();
    await bench.record.until('ended answered');
    expect(browser.live).to.deep.equal([]);
  });

  it('are the chosen ones, too, where the SDK opens another microphone', async () => {
    use('m2');
    const { vbot } = bench;
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    vbot.makeCall = async (number) => {
      for (const track of stream.getTracks()) connection.addTrack(track, stream);
      vbot.dial(number);
    };
    await talk();
    await sends('m2');
    expect(asked).to.deep.equal(['input m2']);
  });

  it('are left to the SDK where the agent has chosen none', async () => {
    await talk();
    await rest();
    expect(asked).to.deep.equal([]);
  });

  it('change in the midst of the call', async () => {
    await talk();
    use('m2', 's2');
    await sends('m2');
    use('', '');
    await sends('');
    expect(asked).to.deep.equal(['output s2', 'input m2', 'output default', 'input default']);
    await rest();
    expect(browser.live).to.deep.equal(['']);
  });

  it('of which one cannot be opened leave the call as it is', async () => {
    await talk();
    use('not there');
    await staysAsItIs();
  });

  it('leave the call as it is where an older SDK cannot exchange them', async () => {
    Object.assign(bench.vbot, { setAudioInputDevice: undefined, setAudioOutputDevice: undefined });
    await talk();
    use('m2', 's2');
    await staysAsItIs();
  });

  it('that are changed twice at once end with the last one, and nothing else is open', async () => {
    await talk();
    use('m2');
    use('');
    use('m2');
    await sends('m2');
    await rest();
    expect(browser.live).to.deep.equal(['m2']);
  });

  it('end with the last one, also if the browser grants an earlier one after it', async () => {
    await talk();
    browser.isWaiting = true;
    use('m2');
    await until(() => browser.grant !== undefined, 'the question');
    const { grant } = browser;
    await rest(31_000);
    browser.isWaiting = false;
    use('');
    await until(() => browser.opened.length === 2 && browser.live.length === 1, 'the next one, alone');
    grant?.();
    await until(() => browser.opened.length === 4, 'the one granted late, and the last one again');
    await sends('');
    await rest();
    expect(browser.live).to.deep.equal(['']);
  });

  it('are closed where the browser grants one after the call', async () => {
    await talk();
    browser.isWaiting = true;
    use('m2');
    await until(() => browser.grant !== undefined, 'the question');
    bench.vbot.end();
    await bench.record.until('ended answered');
    browser.grant?.();
    await rest();
    expect(browser.live).to.deep.equal([]);
  });

  it('are closed where the browser grants one while the SDK keeps a call that was left', async () => {
    await talkWithHeadset();
    browser.isWaiting = true;
    browser.plug(BUILT_IN);
    await until(() => browser.grant !== undefined, 'the question');
    browser.plug(BUILT_IN, HEADSET);
    Object.defineProperty(bench.socket, 'isOpen', { value: false });
    bench.calls.hangUp();
    await bench.record.until('ended answered');
    browser.grant?.();
    await rest();
    expect(bench.calls.leaving, 'the SDK keeps the call').not.to.equal(undefined);
    expect(browser.live).to.deep.equal([]);
  });

  it('are not asked for again in a call that was left while the browser asked', async () => {
    await talkWithHeadset();
    browser.isWaiting = true;
    browser.plug(BUILT_IN);
    await until(() => browser.grant !== undefined, 'the question');
    Object.defineProperty(bench.socket, 'isOpen', { value: false });
    bench.calls.hangUp();
    await bench.record.until('ended answered');
    // The headset is gone, so the request fails.
    browser.grant?.();
    await rest();
    expect(asked).to.deep.equal(['input m2']);
  });
});

it('nothing is heard from a press of "Hold" on, also while one that was refused is taken back', async () => {
  await talk();
  const { session } = bench.vbot;
  session.onHold = (_agree, refuse) => refuse();
  const outcomes = [codeOf(bench.audio.setHeld(true))];
  expect(isOn()).to.equal(true);
  outcomes.push(codeOf(bench.audio.setHeld(true)));
  expect(isOn()).to.equal(false);
  session.onHold = (agree) => agree();
  await rest();
  expect(await Promise.all(outcomes)).to.deep.equal(['call-rejected', 'resolved']);
  expect(isOn()).to.equal(false);
});

describe('an agent who changes the microphone', () => {
  it('while muted is not heard for a moment, and is heard once unmuted', async () => {
    await talk();
    bench.audio.setMuted(true);
    use('m2');
    await sends('m2');
    await rest();
    expect(wasHeard).to.deep.equal([false]);
    expect(sender()?.track?.enabled).to.equal(false);
    bench.audio.setMuted(false);
    expect(sender()?.track?.enabled).to.equal(true);
  });

  it('and mutes while the browser opens it is not heard', async () => {
    await talk();
    browser.isWaiting = true;
    use('m2');
    await until(() => browser.grant !== undefined, 'the question');
    bench.audio.setMuted(true);
    browser.grant?.();
    await sends('m2');
    await rest();
    expect(sender()?.track?.enabled).to.equal(false);
  });

  it('while the call is held is not heard', async () => {
    await talk();
    bench.audio.setHeld(true);
    await bench.record.until('held');
    use('m2');
    await sends('m2');
    await rest();
    expect(wasHeard).to.deep.equal([false]);
    expect(sender()?.track?.enabled).to.equal(false);
  });

  it('else is heard', async () => {
    await talk();
    use('m2');
    await sends('m2');
    await until(() => sender()?.track?.enabled === true, 'a voice');
  });
});

describe('an agent who presses two buttons before the exchange agrees', () => {
  let agree: () => void;
  beforeEach(async () => {
    await talk();
    bench.vbot.session.onHold = (agreed) => (agree = agreed);
  });

  it('is heard after Resume and Unmute', async () => {
    const held = bench.audio.setHeld(true);
    bench.audio.setMuted(true);
    agree();
    await held;
    const resumed = bench.audio.setHeld(false);
    bench.audio.setMuted(false);
    expect(isOn(), 'still on hold').to.equal(false);
    agree();
    await resumed;
    expect(isOn()).to.equal(true);
  });

  it('is not heard after Hold and Unmute', async () => {
    bench.audio.setMuted(true);
    const held = bench.audio.setHeld(true);
    bench.audio.setMuted(false);
    expect(isOn(), 'about to be on hold').to.equal(false);
    agree();
    await held;
    expect(isOn()).to.equal(false);
  });
});

describe('a microphone that is pulled out in a call', () => {
  it('gives way to the system’s, and the agent goes on', async () => {
    await talkWithHeadset();
    browser.plug(BUILT_IN);
    // Not ahead of the browser, which exchanges the tracks: after a second the agent would read that the microphone is lost.
    while (sent() !== '' || sender()?.track?.readyState !== 'live') await nextTurn();
    await rest();
    expect(bench.record.names).not.to.include('microphone lost');
  });

  it('while muted leaves the agent muted', async () => {
    await talkWithHeadset();
    bench.audio.setMuted(true);
    browser.plug(BUILT_IN);
    await until(() => sent() === '' && sender()?.track?.readyState === 'live', 'the system’s');
    await rest();
    expect(sender()?.track?.enabled).to.equal(false);
  });

  it('as the last one is lost, and found when one is plugged in again', async () => {
    await talkWithHeadset();
    browser.plug();
    await bench.record.until('microphone lost');
    browser.plug(HEADSET);
    use('m2');
    await bench.record.until('microphone found');
    expect(sent()).to.equal('m2');
  });

  it('or whose permission is taken back is lost, and found once it is allowed again', async () => {
    await talkWithHeadset();
    browser.refusal = 'NotAllowedError';
    sender()?.track?.stop();
    sender()?.track?.dispatchEvent(new Event('ended'));
    await bench.record.until('microphone lost');
    browser.refusal = undefined;
    use('m2');
    await bench.record.until('microphone found');
    expect(browser.live).to.deep.equal(['m2']);
  });

  it('is lost at once where the browser asks the agent for another one', async () => {
    await talkWithHeadset();
    browser.isWaiting = true;
    browser.plug(BUILT_IN);
    await bench.record.until('microphone lost');
    browser.isWaiting = false;
    browser.grant?.();
    await bench.record.until('microphone found');
  });

  it('is found again when the agent allows another one after a minute', async () => {
    await talkWithHeadset();
    browser.isWaiting = true;
    browser.plug(BUILT_IN);
    await bench.record.until('microphone lost');
    await rest(65_000);
    browser.grant?.();
    await bench.record.until('microphone found');
    await rest();
    expect(sender()?.track?.readyState).to.equal('live');
    expect(bench.record.names.at(-1)).to.equal('microphone found');
  });
});
