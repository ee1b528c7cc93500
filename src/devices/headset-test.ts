/**
 * "Test my headset": three seconds are recorded, then played to the speaker. The sound waits in a delay, so nothing is stored,
 * and the microphone is closed before the first of it is heard.
 */
import { openContext, watchLevel } from '../page/microphone-level.ts';
import { microphoneTrouble, stopTracks } from '../page/microphone.ts';
import { later, orAbort, pause } from '../wait.ts';
import { play } from './playback.ts';
import type { SoundTest, TestResult } from './state.ts';

const SPEAKING_MS = 3000;
/** Between the recording and the playback. */
const GAP_MS = 300;
/** The agent may have to answer the browser's question for the microphone. */
const PROMPT_TIMEOUT_MS = 60_000;
/** Below it, nobody has spoken: −45 dB. */
const SPOKEN = 0.25;

interface HeadsetTestOptions {
  /** Ids; empty: the system's. */
  readonly microphone: string;
  readonly speaker: string;
  readonly onStep: (step: SoundTest) => void;
  readonly onLevel: (level: number) => void;
}

/** @param signal ends it: the microphone is closed in that moment */
export async function testHeadset(options: HeadsetTestOptions, signal: AbortSignal): Promise<void> {
  const { onStep } = options;
  onStep({ is: 'asking' });
  try {
    const stream = await openMicrophone(options.microphone, signal);
    const result = await speakAndHear(stream, options, signal);
    if (!signal.aborted) onStep({ is: 'over', result });
  } catch (error) {
    // It names an insecure page and a permissions policy, for which the browser has no error of their own.
    const result = (await microphoneTrouble()) ?? failureResult(error);
    if (!signal.aborted) onStep({ is: 'over', result });
  }
}

async function speakAndHear(
  stream: MediaStream,
  { speaker, onStep, onLevel }: HeadsetTestOptions,
  signal: AbortSignal,
): Promise<TestResult> {
  const over = new AbortController();
  const playing = AbortSignal.any([signal, over.signal]);
  const speaking = new AbortController();
  const closeMicrophone = () => {
    speaking.abort();
    stopTracks(stream);
  };
  playing.addEventListener('abort', closeMicrophone);
  let loudest = 0;
  try {
    const context = openContext(playing);
    const delay = context.createDelay(10);
    delay.delayTime.value = (SPEAKING_MS + GAP_MS) / 1000;
    const output = context.createMediaStreamDestination();
    context.createMediaStreamSource(stream).connect(delay).connect(output);
    void play(new Audio(), output.stream, speaker, playing);
    onStep({ is: 'speaking' });
    watchLevel(
      () => stream.getAudioTracks()[0],
      speaking.signal,
      (level) => {
        loudest = Math.max(loudest, level);
        onLevel(level);
      },
    );
    await pause(SPEAKING_MS, playing);
    closeMicrophone();
    if (loudest < SPOKEN) return 'silent';
    if (!signal.aborted) onStep({ is: 'playing' });
    await pause(SPEAKING_MS + 2 * GAP_MS, playing);
    return 'heard';
  } finally {
    over.abort();
    closeMicrophone();
  }
}

/** A stream that the browser grants too late is closed at once. */
async function openMicrophone(id: string, signal: AbortSignal): Promise<MediaStream> {
  const waiting = new AbortController();
  const given = AbortSignal.any([signal, waiting.signal]);
  later(PROMPT_TIMEOUT_MS, given, () => waiting.abort(new DOMException('No answer', 'NotAllowedError')));
  const audio = id === '' ? true : { deviceId: { ideal: id } };
  const request = navigator.mediaDevices.getUserMedia({ audio, video: false });
  try {
    const stream = await orAbort(request, given);
    signal.throwIfAborted();
    return stream;
  } catch (error) {
    request.then(stopTracks, () => undefined);
    throw error;
  } finally {
    waiting.abort();
  }
}

function failureResult(error: unknown): TestResult {
  const isDenied = error instanceof DOMException && error.name === 'NotAllowedError';
  return isDenied ? 'microphone-denied' : 'microphone-missing';
}
