/** The server in one file and the brokers in other languages, held to what the dialer relies on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkBroker } from '../../../demo/tools/broker-checks.ts';
import { startSandbox } from '../../../demo/sandbox/test/servers.ts';
import { LANGUAGES, startServer } from '../../../demo/server/test/start-server.ts';

for (const language of LANGUAGES) {
  test(
    `the small server in ${language} passes every check that applies to it`,
    { timeout: 300_000 },
    async (t) => {
      const { baseUrl, apiKey } = await startSandbox(t);
      const server = await startServer(t, language, {
        VENDOR_BASE_URL: baseUrl,
        VENDOR_API_KEY: apiKey,
        AGENT_TOKENS: 'a-token:agent001',
        TOP_UP: '0',
      });
      if (!server) return;
      const signedIn = { Authorization: 'Bearer a-token' };
      const verdicts = await checkBroker({ url: `${server.url}session`, signedIn, origin: undefined });
      const failed = verdicts.filter(({ result }) => result === 'fail');
      assert.deepEqual(failed, []);
      assert.match(verdicts[0]?.detail ?? '', /for agent001, who cannot call: insufficient-funds/);
    },
  );
}
