/** `npm run server`: the server in one file, with a sandbox where no vendor is configured. */
import { run } from '../server/server.ts';
import { splitSandbox, startSandbox } from './vendor.ts';

const { VENDOR_BASE_URL, VENDOR_API_KEY } = process.env;
const { sandbox } = splitSandbox(process.env);
// Members and money of a sandbox of our own, and what was paid there, last as long as those of `npm run provision`.
const own = VENDOR_BASE_URL || VENDOR_API_KEY ? undefined : await startSandbox('.data/sandbox-state.json');
process.exitCode = await run(process.argv.slice(2), {
  ...(own && {
    VENDOR_BASE_URL: own.baseUrl,
    VENDOR_API_KEY: own.apiKey,
    AGENT_TOKENS: 'demo-token:agent001',
  }),
  ...((own ?? sandbox) && { PAID_DIR: '.data/paid' }),
  ...Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== '')),
});
await own?.close();
