/** The companion and its vendor, each in a process of its own that counts what it does. */
import { fork, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const VENDOR = 'vendor-process.ts';
export const COMPANION = 'companion-process.ts';
export const NODE_ARGS = ['--import', 'tsx'];

export interface Server {
  readonly origin: string;
  count(): Promise<Count>;
  stop(): void;
}

export interface Count {
  readonly cpuMicroseconds: number;
  /** Of the vendor, as what follows. */
  readonly calls: number;
  readonly refused: number;
  readonly credited: number;
}

export async function startServer(
  file: string,
  env: Readonly<Record<string, string>>,
  options: ForkOptions = { execArgv: NODE_ARGS },
): Promise<Server> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, { ...options, env: { ...process.env, ...env } });
  const [port] = (await once(child, 'message')) as [number];
  const count = async () => {
    const answer = once(child, 'message') as Promise<[Count]>;
    child.send('count');
    return (await answer)[0];
  };
  return { origin: `http://127.0.0.1:${port}`, count, stop: () => void child.kill() };
}
