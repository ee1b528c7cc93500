/**
 * In the place of the vendor's SDK, which is not ours to keep here: a script of its size that takes about as long to parse and
 * to run, asks its API twice and registers over a socket. Measured with the vendor's build of 2026-06-30.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { WebSocketServer } from 'ws';
import type { BootVendor } from './boot-vendor.ts';

/** What the vendor's script has with gzip. */
const GZIP_BYTES = 251_000;
/** So many that a browser parses and does not run. */
const FUNCTIONS = 11_700;
/** Steps of a loop, of which a desktop machine takes about a million in two milliseconds. */
const STEPS = { run: 20_000_000, boot: 5_000_000, register: 14_000_000 } as const;

const script = (steps: typeof STEPS) => `(() => {
  const work = (steps) => {
    let sum = 1;
    for (let step = 0; step < steps; step += 1) sum = Math.imul(sum ^ (step % 7919), 16777619);
    globalThis.worked = sum;
  };
  const received = (socket) => new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
  customElements.define('vbot-widget', class extends HTMLElement {
    async connectedCallback() {
      work(${steps.boot});
      let answer;
      for (const path of ['info', 'hotlines']) answer = await (await fetch(this.getAttribute('base-url') + '/' + path)).json();
      const socket = new WebSocket(answer.socket, 'sip');
      await new Promise((resolve) => socket.addEventListener('open', resolve));
      for (const attempt of ['REGISTER', 'REGISTER with the answer to the challenge']) {
        socket.send(attempt);
        await received(socket);
        work(${steps.register / 2});
      }
      const detail = { hotlines: [{ name: 'Sales', phoneNumber: '842899990001' }] };
      this.dispatchEvent(new CustomEvent('vbot:onHotlinesUpdated', { detail }));
      this.dispatchEvent(new CustomEvent('vbot:onUserConnected'));
    }
  });
  work(${steps.run});
})();`;

export async function standIn(): Promise<BootVendor> {
  const exchange = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  exchange.on('connection', (socket) => socket.on('message', () => socket.send('answered')));
  await once(exchange, 'listening');
  const socket = `ws://127.0.0.1:${(exchange.address() as AddressInfo).port}`;
  const text = Buffer.from(`${script(STEPS)}\n${filler()}`);
  return {
    script: text,
    token: 'a.b.c',
    answer: async () => JSON.stringify({ socket }),
    close: async () => {
      for (const client of exchange.clients) client.terminate();
      exchange.close();
    },
  };
}

/** Code as it is: names, numbers and texts, of which about a quarter is left when it is compressed. */
function filler(): string {
  let seed = 1;
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const one = () => {
    const [a, b] = [next(9000), next(9000)];
    return `function n${next(60_000)}(a,b){return a.x${a}>${next(99_999)}?n${next(60_000)}(b.y${b},a):"t${next(9_999_999)}"+b}`;
  };
  let text = '';
  for (let count = 0; count < FUNCTIONS; count += 1) text += `${one()}\n`;
  const { length } = gzipSync(text);
  if (Math.abs(length - GZIP_BYTES) > GZIP_BYTES / 10)
    throw new Error(`The stand-in has ${length} B with gzip.`);
  return `(()=>{${text}})();`;
}
