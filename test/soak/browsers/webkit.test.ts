/** WebKitGTK, whose Debian build has no WebRTC: the agent is told so, and never reads "Ready". */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { buildDemo } from '../../end-to-end/build.ts';
import { startDemo, type RunningDemo } from '../../end-to-end/demo.ts';
import { eventually } from '../../end-to-end/eventually.ts';
import { freePort } from '../../free-port.ts';
import { WebkitSession } from './webkit-session.ts';

const LIMIT = { timeout: 120_000 };

const TEXT = `return document.querySelector('partner-dialer')?.shadowRoot?.textContent?.replace(/\\s+/g, ' ') ?? ''`;

let demo: RunningDemo;
let session: WebkitSession;

before(async () => {
  await buildDemo();
  demo = await startDemo();
  session = await WebkitSession.open(await freePort());
}, LIMIT);
after(async () => {
  await session.close();
  await demo.close();
}, LIMIT);

describe('an agent in a browser without WebRTC', LIMIT, () => {
  it('is told that this browser cannot call, and never reads "Ready"', async () => {
    await session.goTo(demo.origin);
    const text = await eventually(async () => {
      const drawn = await session.run<string>(TEXT);
      return drawn.includes('browser') && drawn;
    }, 'the guide in WebKitGTK');
    assert.equal(
      await session.run('return typeof RTCPeerConnection'),
      'undefined',
      'this build has no WebRTC',
    );
    assert.doesNotMatch(text, /Ready/);
    const code = await session.run<string>(`return document.querySelector('partner-dialer').state.status`);
    assert.equal(code === 'blocked' || code === 'failed', true, `the status is ${code}`);
  });
});
