/** Runs a command line to its end, in this process: the function behind it, with what it writes to the console. */
import type { TestContext } from 'node:test';
import type { Outcome } from '../../demo/companion/test/process.ts';

export async function runHere(t: TestContext, command: () => Promise<number>): Promise<Outcome> {
  const [out, err] = (['log', 'error'] as const).map((name) => t.mock.method(console, name, () => {}));
  const exit = await command();
  const written = [out, err].map((stream) => {
    stream?.mock.restore();
    return (stream?.mock.calls ?? []).map(({ arguments: [line] }) => `${String(line)}\n`).join('');
  });
  return { exit, out: written[0] ?? '', err: written[1] ?? '' };
}
