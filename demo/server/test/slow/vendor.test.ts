/** A vendor that is silent, or sends its answer for ever: the agent reads soon that the vendor is away. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { LANGUAGES } from '../start-server.ts';
import { start, startVendor, type Reply } from '../vendor.ts';

/** The longest wait for the vendor is 10 seconds. */
const SOON_MS = 14_000;

/** Collects garbage twice a second: in Node, that has ended a timeout whose signal nobody held. */
const COLLECT = `import v8 from 'node:v8';
  import vm from 'node:vm';
  v8.setFlagsFromString('--expose-gc');
  setInterval(vm.runInNewContext('gc'), 500).unref();`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(COLLECT)}`;

const trickle: Reply = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 500);
  response.on('close', () => clearInterval(timer));
};
const pause: Reply = (response) => response.writeHead(200, { 'Content-Length': 999 }).write('{"error": 0');
const VENDORS: readonly (readonly [what: string, reply: Reply])[] = [
  ['sends no answer', () => undefined],
  ['sends half an answer', pause],
  ['sends one byte after another', trickle],
];

describe('a vendor that', { concurrency: LANGUAGES.length * VENDORS.length }, () => {
  for (const [what, reply] of VENDORS) {
    for (const language of LANGUAGES) {
      test(`${what}: the server in ${language} says soon that it is away`, { timeout: 60_000 }, async (t) => {
        const vendor = await startVendor(t);
        const server = await start(t, language, vendor, { NODE_OPTIONS });
        if (!server) return;
        let isClosed = false;
        const watched: Reply = (response) => reply(response.on('close', () => (isClosed = true)));
        vendor.respond = (path) => (path === 'sdk/tokenSdk' ? watched : undefined);
        const answer = await Promise.race([server.ask(), delay(SOON_MS, undefined, { ref: false })]);
        assert.deepEqual([answer?.['status'], answer?.['code']], [503, 'vendor-unreachable']);
        await delay(1000);
        assert.ok(isClosed, 'the server reads no longer');
        vendor.respond = () => undefined;
        assert.equal((await server.ask())['status'], 200);
      });
    }
  }
});
