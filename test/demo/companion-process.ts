/** The companion as a process of its own, as partners run it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Vendor } from '../../demo/server/vbot/client.ts';

const MAIN = fileURLToPath(new URL('../../demo/server/main.ts', import.meta.url));

export interface CompanionProcess {
  readonly origin: string;
  readonly child: ChildProcess;
  /** What it has written so far. */
  output(): string;
}

/** Starts it on a port of its own; resolves when it serves. */
export async function startCompanionProcess(
  t: Pick<TestContext, 'after'>,
  { baseUrl, apiKey }: Vendor,
  databaseUrl: string,
  more: Readonly<Record<string, string>> = {},
): Promise<CompanionProcess> {
  const env = {
    PATH: process.env['PATH'],
    PORT: '0',
    DATABASE_URL: databaseUrl,
    VENDOR_BASE_URL: baseUrl,
    VENDOR_API_KEY: apiKey,
    SESSION_SECRET: 's'.repeat(32),
    DEMO_LOGIN: 'on',
    LOG_LEVEL: 'silent',
    TOP_UP_DAILY_LIMIT: '10000000',
    RATE_LIMIT_PER_ADDRESS: '1000000',
    ...more,
  };
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), MAIN], { env });
  t.after(() => child.kill('SIGKILL'));
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part));
  while (!/^Vendor: /m.test(text)) {
    if (child.exitCode !== null) throw new Error(`The companion has ended:\n${text}`);
    await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  }
  return { origin: /http:\S+/.exec(text)?.[0] ?? '', child, output: () => text };
}
