/** The custom states of the tag, which a page's styles can select. */
import { expect } from '@open-wc/testing';
import { openDialer, reaches, sdk } from '../support/dialer.ts';

/** Chrome 125, Firefox 126, Safari 17.4. */
const HAS_CUSTOM_STATES = CSS.supports('selector(:state(ready))');
const STATUSES = [
  'idle',
  'connecting',
  'ready',
  'blocked',
  'failed',
  'dialing',
  'incoming',
  'in-call',
  'ended',
] as const;

const selected = (one: Element) => STATUSES.filter((status) => one.matches(`:state(${status})`));

describe('the custom states', () => {
  it('are the status, and nothing else, before the sign-in, while connecting, when ready and in a call', async function states() {
    if (!HAS_CUSTOM_STATES) return this.skip();
    const dialer = document.createElement('partner-dialer');
    expect(selected(dialer)).to.deep.equal(['idle']);
    const page = await openDialer();
    const seen = new Set<string>();
    page.dialer.addEventListener('dialer-statechange', ({ detail }) => {
      expect(selected(page.dialer)).to.deep.equal([detail.state.status]);
      seen.add(detail.state.status);
    });
    await reaches(page.dialer, 'ready');
    sdk().ring('0912345678');
    await reaches(page.dialer, 'incoming');
    expect(seen).to.include('incoming');
    expect(selected(page.dialer)).to.deep.equal(['incoming']);
  });
});
