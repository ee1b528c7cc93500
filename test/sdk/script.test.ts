import { expect } from '@open-wc/testing';
import { codeOf } from '../support/code-of.ts';
import { loadScript } from '../../src/sdk/script.ts';

const script = (text: string) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
const tags = (url: string) => document.querySelectorAll(`script[src="${url}"]`).length;
const never = () => false;
const always = () => true;

describe('loading the SDK script', () => {
  it('happens once per address, however many ask', async () => {
    const url = script('globalThis.loadCount = (globalThis.loadCount ?? 0) + 1');
    await Promise.all([1, 2, 3].map(() => loadScript({ url }, always)));
    await loadScript({ url }, always);
    expect(Reflect.get(globalThis, 'loadCount')).to.equal(1);
    expect(tags(url)).to.equal(1);
  });

  it('comes before what else an inserted script would wait for', async () => {
    const url = script('1');
    await loadScript({ url }, always);
    const tag = document.querySelector<HTMLScriptElement>(`script[src="${url}"]`);
    expect(tag?.fetchPriority).to.equal('high');
  });

  it('fails with a code, leaves no tag behind, and can be tried again', async () => {
    const url = new URL('/no/such/script', location.href).href;
    expect(await codeOf(loadScript({ url }, always))).to.equal('sdk-load-failed');
    expect(tags(url)).to.equal(0);
    expect(await codeOf(loadScript({ url }, always))).to.equal('sdk-load-failed');
  });

  it('does not take another script for the SDK', async () => {
    expect(await codeOf(loadScript({ url: script('1') }, never))).to.equal('sdk-load-failed');
  });

  it('leaves what others put around the console and the constructors meanwhile', async () => {
    const { log } = console;
    const original = HTMLElement;
    const tracker = (...args: unknown[]) => log(...args);
    const shim = new Proxy(original, {});
    const url = script(
      'const before = console.log; console.log = () => {}; HTMLElement = function HTMLElement() {};' +
        'globalThis.sawTracker = before === globalThis.tracker; globalThis.sawOwn = console.log !== before;',
    );
    Reflect.set(globalThis, 'tracker', tracker);
    const loading = loadScript({ url }, always);
    console.log = tracker;
    globalThis.HTMLElement = shim;
    const logger: { log?: unknown } = Object.create(console);
    logger.log = 'of a logger';
    await loading;
    const after = { log: console.log, element: globalThis.HTMLElement };
    console.log = log;
    globalThis.HTMLElement = original;
    expect(after).to.deep.equal({ log: tracker, element: shim });
    expect(Object.getOwnPropertyDescriptor(console, 'log')).to.include({ value: log, writable: true });
    expect([Reflect.get(globalThis, 'sawTracker'), Reflect.get(globalThis, 'sawOwn')]).to.deep.equal([
      true,
      true,
    ]);
    expect(logger.log).to.equal('of a logger');
  });

  it('works in a page whose security library has frozen the console', async () => {
    const url = script(
      'console.log = () => {}; HTMLElement = class extends HTMLElement {}; globalThis.ranFrozen = true;',
    );
    const { console: own } = globalThis;
    const element = Object.getOwnPropertyDescriptor(globalThis, 'HTMLElement');
    Object.defineProperty(globalThis, 'console', { configurable: true, value: Object.freeze({ ...own }) });
    try {
      await loadScript({ url }, () => Reflect.get(globalThis, 'ranFrozen') === true);
    } finally {
      Object.defineProperty(globalThis, 'console', { configurable: true, writable: true, value: own });
    }
    expect(Object.getOwnPropertyDescriptor(globalThis, 'HTMLElement')).to.deep.equal(element);
  });

  it('gives the page its element class back, its prototype included', async () => {
    const original = HTMLElement;
    const url = script(
      `(() => {
        const Native = HTMLElement;
        HTMLElement = function () { return Reflect.construct(Native, [], this.constructor); };
        HTMLElement.prototype = Native.prototype;
        HTMLElement.prototype.constructor = HTMLElement;
        globalThis.isWrapped = HTMLElement !== Native;
      })()`,
    );
    await loadScript({ url }, always);
    expect(Reflect.get(globalThis, 'isWrapped')).to.equal(true);
    expect(HTMLElement).to.equal(original);
    expect(HTMLElement.prototype.constructor).to.equal(original);
  });
});
