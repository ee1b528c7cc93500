/** A limit to a wait in which the browser may ask the agent something. */
import { microphonePermission } from '../../page/microphone.ts';
import { later } from '../../wait.ts';

/** As `later`, but the time in which the browser asks for the microphone does not count: people may think it over. */
export async function laterThanPrompt(
  milliseconds: number,
  signal: AbortSignal,
  work: () => void,
): Promise<void> {
  const isAsking = (await microphonePermission()) === 'prompt';
  later(milliseconds, signal, () => {
    if (isAsking) void laterThanPrompt(milliseconds, signal, work);
    else work();
  });
}
