import { expect } from '@open-wc/testing';
import { listenForSpeech } from '../../src/quality/speech.ts';
import { passTime, until } from '../support/clock.ts';
import { Replacements } from '../support/replacements.ts';

describe('listening to a muted agent', () => {
  let voice: AudioContext;
  let track: MediaStreamTrack;
  let over: AbortController;

  beforeEach(async () => {
    voice = new AudioContext();
    const output = voice.createMediaStreamDestination();
    const tone = voice.createOscillator();
    tone.connect(output);
    tone.start();
    const [first] = output.stream.getAudioTracks();
    if (!first) throw new Error('no track');
    track = first;
    track.enabled = false;
    over = new AbortController();
  });
  afterEach(async () => {
    over.abort();
    await voice.close();
  });

  it('hears a voice through the mute, and counts it once', async () => {
    const speech = listenForSpeech(track, over.signal);
    // The first seconds may pass before the browser's audio runs.
    await passTime(10_000);
    speech.wasHeard();
    await passTime(2000);
    expect(speech.wasHeard()).to.equal(true);
    expect(speech.wasHeard(), 'since then').to.equal(false);
    expect(track.enabled).to.equal(false);
  });

  it('leaves no open clone of the microphone where the browser has no more audio contexts', () => {
    const clones: MediaStreamTrack[] = [];
    const clone = track.clone.bind(track);
    track.clone = () => {
      clones.push(clone());
      return clones.at(-1) as MediaStreamTrack;
    };
    const browser = new Replacements();
    browser.replace(globalThis, 'AudioContext', () => undefined);
    expect(() => listenForSpeech(track, over.signal)).to.throw();
    browser.restore();
    over.abort();
    expect(clones.map(({ readyState }) => readyState)).to.deep.equal(['ended']);
  });

  it('leaves neither an open clone of the microphone nor an audio context behind', () => {
    const clones: MediaStreamTrack[] = [];
    const clone = track.clone.bind(track);
    track.clone = () => {
      const one = clone();
      clones.push(one);
      return one;
    };
    const contexts: AudioContext[] = [];
    const create = AudioContext.prototype.createAnalyser;
    AudioContext.prototype.createAnalyser = function created(this: AudioContext) {
      contexts.push(this);
      return create.call(this);
    };
    try {
      listenForSpeech(track, over.signal);
    } finally {
      AudioContext.prototype.createAnalyser = create;
    }
    over.abort();
    expect(clones.map(({ readyState }) => readyState)).to.deep.equal(['ended']);
    return until(() => contexts.every(({ state }) => state === 'closed'), 'the end of the audio context');
  });
});
