import { expect } from '@open-wc/testing';
import { monitorQuality, type QualityReport } from '../../src/quality/monitor.ts';
import { passTime, until } from '../support/clock.ts';

/** Audio of 50 packets a second, whose counters the browser would keep. */
class FakeAudio {
  lossIn = 0;
  /** Does the far end send anything? */
  isSending = true;
  lossOut = 0;
  isSilent = false;
  reports = true;
  failing = false;
  polls = 0;
  #time = 0;
  #received = 0;
  #lostIn = 0;
  #lostOut = 0;
  #sent = 0;
  #energy = 0;

  stats(): Promise<RTCStatsReport> {
    this.polls += 1;
    if (this.failing) return Promise.reject(new DOMException('closed', 'InvalidStateError'));
    this.#time += 2;
    this.#sent += 100;
    this.#lostOut += this.lossOut;
    if (this.isSending) {
      this.#lostIn += this.lossIn;
      this.#received += 100 - this.lossIn;
    }
    if (!this.isSilent) this.#energy += 0.1;
    const entries = [
      { id: 'codec', type: 'codec', mimeType: 'audio/PCMU' },
      {
        id: 'in',
        type: 'inbound-rtp',
        kind: 'audio',
        codecId: 'codec',
        packetsReceived: this.#received,
        packetsLost: this.#lostIn,
        jitter: 0.002,
      },
      { id: 'out', type: 'outbound-rtp', kind: 'audio', codecId: 'codec', packetsSent: this.#sent },
      {
        id: 'source',
        type: 'media-source',
        kind: 'audio',
        totalAudioEnergy: this.#energy,
        totalSamplesDuration: this.#time,
      },
      ...(this.reports
        ? [
            {
              id: 'remote',
              type: 'remote-inbound-rtp',
              kind: 'audio',
              timestamp: this.#time,
              packetsLost: this.#lostOut,
              jitter: 0.002,
              roundTripTime: 0.04,
            },
          ]
        : []),
    ];
    return Promise.resolve(new Map(entries.map((one) => [one.id, one])) as unknown as RTCStatsReport);
  }

  readonly microphone = undefined;
}

describe('the watch over a call', () => {
  let audio: FakeAudio;
  let told: QualityReport[];
  let call: AbortController;
  let over: Promise<void>;
  let held: boolean;
  const warnings = () => told.at(-1)?.now.warnings ?? [];

  beforeEach(() => {
    audio = new FakeAudio();
    told = [];
    held = false;
    call = new AbortController();
    const options = {
      audio: () => audio,
      isMuted: () => false,
      isHeld: () => held,
      onReport: (report: QualityReport) => told.push(report),
    };
    over = monitorQuality(options, call.signal);
  });
  afterEach(async () => {
    call.abort();
    await over;
  });

  it('says that a good call is good, and nothing more', async () => {
    await passTime(30_000);
    expect(told.at(-1)).to.deep.equal({
      now: { mos: 4.4, level: 'good', warnings: [] },
      summary: { mos: 4.4, worstMos: 4.4, lossPercent: 0, jitterMs: 2, roundTripMs: 40 },
    });
    expect(told.flatMap(({ now }) => now.warnings)).to.deep.equal([]);
  });

  it('warns of 20 % loss on the way to the customer, and takes it back once it is over', async () => {
    await passTime(6000);
    audio.lossOut = 20;
    await passTime(10_000);
    expect(warnings()).to.deep.equal(['loss-to-customer']);
    expect(told.at(-1)?.now.level).to.equal('poor');
    audio.lossOut = 0;
    await passTime(10_000);
    expect(warnings()).to.deep.equal([]);
    expect(told.at(-1)?.summary?.worstMos).to.be.below(3);
  });

  it('says what it knows where the far end reports nothing', async () => {
    audio.reports = false;
    audio.lossIn = 20;
    await passTime(10_000);
    expect(warnings()).to.deep.equal(['loss-to-agent']);
  });

  it('has no score while nothing comes from the far end, which still reports, and one as soon as something comes', async () => {
    await passTime(10_000);
    audio.isSending = false;
    await passTime(10_000);
    expect(told.at(-1)?.now).to.deep.equal({ warnings: [] });
    expect(told.at(-1)?.summary?.mos, 'of the time in which something came').to.equal(4.4);
    audio.isSending = true;
    await passTime(10_000);
    expect(told.at(-1)?.now.level).to.equal('good');
  });

  it('never has a score where nothing comes after the answer, and says what else it knows', async () => {
    audio.isSending = false;
    await passTime(10_000);
    expect(told).to.deep.equal([]);
    audio.lossOut = 20;
    await passTime(10_000);
    expect(told.at(-1)).to.deep.equal({ now: { warnings: ['loss-to-customer'] }, summary: undefined });
    audio.lossOut = 0;
    await passTime(10_000);
    expect(warnings()).to.deep.equal([]);
  });

  it('warns of a microphone that delivers nothing', async () => {
    audio.isSilent = true;
    await passTime(14_000);
    expect(warnings()).to.deep.equal(['microphone-silent']);
  });

  it('says nothing of a held call, nor of the gap after it', async () => {
    await passTime(6000);
    held = true;
    audio.lossIn = 60;
    await passTime(10_000);
    audio.lossIn = 0;
    held = false;
    await passTime(10_000);
    expect(told.flatMap(({ now }) => now.warnings)).to.deep.equal([]);
  });

  it('goes on after a report that fails, and ends with the call', async () => {
    audio.failing = true;
    await passTime(6000);
    audio.failing = false;
    await until(() => told.length > 0, 'a report after the failures');
    call.abort();
    await over;
    const { polls } = audio;
    await passTime(10_000);
    expect(audio.polls).to.equal(polls);
  });
});
