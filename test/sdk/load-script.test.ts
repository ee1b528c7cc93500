import { expect } from '@open-wc/testing';
import { loadScript } from '../../src/sdk/load-script.ts';

const script = (text: string) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
const tags = (url: string) => document.querySelectorAll(`script[src="${url}"]`).length;
const never = () => false;
const always = () => true;

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'loaded',
    (error: { code: string }) => error.code,
  );
}

describe('loading the SDK script', () => {
  it('happens once per address, however many ask', async () => {
    const url = script('globalThis.loadCount = (globalThis.loadCount ?? 0) + 1');
    await Promise.all([1, 2, 3].map(() => loadScript({ url, isReady: always })));
    await loadScript({ url, isReady: always });
    expect(Reflect.get(globalThis, 'loadCount')).to.equal(1);
    expect(tags(url)).to.equal(1);
  });

  it('fails with a code, leaves no tag behind, and can be tried again', async () => {
    const url = new URL('/no/such/script.js', location.href).href;
    expect(await codeOf(loadScript({ url, isReady: always }))).to.equal('sdk-load-failed');
    expect(tags(url)).to.equal(0);
    expect(await codeOf(loadScript({ url, isReady: always }))).to.equal('sdk-load-failed');
  });

  it('does not take another script for the SDK', async () => {
    expect(await codeOf(loadScript({ url: script('1'), isReady: never }))).to.equal('sdk-load-failed');
  });

  it('refuses a script that does not match its integrity', async () => {
    const url = script('globalThis.ranUnverified = true');
    const integrity = `sha384-${'A'.repeat(64)}`;
    expect(await codeOf(loadScript({ url, integrity, isReady: always }))).to.equal('sdk-load-failed');
    expect(globalThis).not.to.have.property('ranUnverified');
  });

  it('gives the page its console back', async () => {
    const before = [console.log, console.warn, console.info, console.error, console.table, console.trace];
    const names = ['log', 'warn', 'info', 'error', 'exception', 'table', 'trace'];
    await loadScript({
      url: script(`for (const n of ${JSON.stringify(names)}) console[n] = () => {}`),
      isReady: always,
    });
    const after = [console.log, console.warn, console.info, console.error, console.table, console.trace];
    expect(after).to.deep.equal(before);
    expect(console).not.to.have.property('exception');
  });
});
