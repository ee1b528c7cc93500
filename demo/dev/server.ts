/** `npm run server`: the server in one file; where no vendor is configured, with a sandbox, and for the pages of this machine. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import type * as z from 'zod';
import { EXIT_CONFIGURATION } from '../companion/config.ts';
import { findMisspelt } from '../companion/environment.ts';
import { createBackEnd, run, Settings } from '../server/server.ts';
import { splitSandbox, startSandbox } from './vendor.ts';

const { mistakes, warnings } = findMisspelt(process.env, Object.keys(Settings.shape));
for (const sentence of [...mistakes, ...warnings]) console.error(sentence);
if (mistakes.length > 0) process.exit(EXIT_CONFIGURATION);
if (process.env['TOP_UP_MODE']) {
  console.error('TOP_UP_MODE is a setting of the companion, not of this server: TOP_UP=0 pays nobody.');
}
const { VENDOR_BASE_URL, VENDOR_API_KEY } = process.env;
const args = process.argv.slice(2);
const { sandbox } = splitSandbox(process.env);
// Members and money of a sandbox of our own, and what was paid there, last as long as those of `npm run provision`.
const own = VENDOR_BASE_URL || VENDOR_API_KEY ? undefined : await startSandbox('.data/sandbox-state.json');
const env = {
  ...(own && {
    VENDOR_BASE_URL: own.baseUrl,
    VENDOR_API_KEY: own.apiKey,
    AGENT_TOKENS: 'demo-token:agent001',
  }),
  ...((own ?? sandbox) && { PAID_DIR: resolve('.data/paid') }),
  ...Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== '')),
};

/** The server itself refuses pages of other origins. Play money needs no protection from the pages of this machine. */
function allowPage({ headers }: IncomingMessage, response: ServerResponse): void {
  const { origin = '' } = headers;
  if (!/^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin)) return;
  response.setHeader('Access-Control-Allow-Origin', origin).setHeader('Vary', 'Origin');
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type');
  delete headers.origin;
}

function tagFor(port: number, vendor: string, token: string): string {
  return `<partner-dialer
  broker-url="http://127.0.0.1:${port}/dialer/session"
  sdk-url="${new URL('/vendor/vbot-sdk.js', vendor).href}"
  sdk-base-url="${vendor}"
></partner-dialer>
<script>
  document.querySelector('partner-dialer').brokerHeaders = { Authorization: 'Bearer ${token}' };
</script>`;
}

async function servePages(settings: z.infer<typeof Settings>): Promise<number> {
  const { handle } = createBackEnd(settings);
  const server = createServer((request, response) => {
    allowPage(request, response);
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else void handle(request, response);
  });
  // A client that has sent half a request would keep it open.
  const stop = () => server.close() && setTimeout(() => server.closeAllConnections(), 5000).unref();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  try {
    await once(server.listen(settings.PORT, '127.0.0.1'), 'listening');
  } catch (error) {
    console.error(`PORT: ${(error as Error).message}`);
    return EXIT_CONFIGURATION;
  }
  const [token = ''] = settings.AGENT_TOKENS.split(':');
  console.log(tagFor(settings.PORT, settings.VENDOR_BASE_URL, token));
  return once(server, 'close').then(() => 0);
}

const settings = own && args.length === 0 ? Settings.safeParse(env).data : undefined;
process.exitCode = settings ? await servePages(settings) : await run(args, env);
await own?.close();
