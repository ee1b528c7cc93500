/** Whether the card of a floating dialer is open: the page says so, the agent and calls change it, an event tells. */
import { expect } from '@open-wc/testing';
import { findIn, nextTurn, openDialer, openReady, ringOn, type DialerPage } from '../support/dialer.ts';

const BUBBLE = '[part~=bubble]';

describe('the card of a floating dialer', () => {
  let page: DialerPage;
  let told: boolean[];
  const start = async (attributes: Readonly<Record<string, string>> = { floating: 'bottom-right' }) => {
    page = await openReady(attributes);
    told = [];
    page.dialer.addEventListener('dialer-toggle', ({ detail }) => told.push(detail.open));
    return page.dialer;
  };
  const isDrawn = () => page.dialer.shadowRoot?.querySelector('[part~=card]') !== null;
  /** The property, the attribute, what is seen, what was told. */
  const now = async () => {
    await nextTurn();
    return [page.dialer.open, page.dialer.hasAttribute('open'), isDrawn(), told.splice(0)];
  };

  it('opens and closes as the page says, by property and by attribute, and tells it', async () => {
    const dialer = await start();
    expect(await now()).to.deep.equal([false, false, false, []]);
    dialer.open = true;
    expect(await now()).to.deep.equal([true, true, true, [true]]);
    dialer.removeAttribute('open');
    expect(await now()).to.deep.equal([false, false, false, [false]]);
    dialer.setAttribute('open', '');
    expect(await now()).to.deep.equal([true, true, true, [true]]);
  });

  it('opens and closes as the agent presses, and tells it', async () => {
    const dialer = await start();
    findIn(dialer, BUBBLE).click();
    expect(await now()).to.deep.equal([true, true, true, [true]]);
    findIn(dialer, BUBBLE).click();
    expect(await now()).to.deep.equal([false, false, false, [false]]);
  });

  it('tells nothing where nothing has changed, and once what changed twice at once', async () => {
    const dialer = await start();
    dialer.open = false;
    expect(await now()).to.deep.equal([false, false, false, []]);
    dialer.open = true;
    dialer.open = false;
    expect(await now()).to.deep.equal([false, false, false, []]);
    void dialer.prefill('0912345678');
    dialer.open = false;
    expect(await now()).to.deep.equal([false, false, false, []]);
  });

  it('opens for a number that is shown in the task in which the page has closed it, in a call too', async () => {
    const dialer = await start();
    dialer.open = true;
    await now();
    dialer.open = false;
    void dialer.prefill('0912345678');
    expect(await now()).to.deep.equal([true, true, true, []]);
    dialer.open = false;
    dialer.call('0912345678').catch(() => undefined);
    expect(await now()).to.deep.equal([true, true, true, []]);
    dialer.open = false;
    void dialer.prefill('0987654321');
    expect(await now()).to.deep.equal([true, true, true, []]);
  });

  it('opens for a number that was shown in the task in which the dialer begins to float', async () => {
    const dialer = await start({});
    void dialer.prefill('0912345678');
    await now();
    expect(dialer.open, 'inline').to.equal(false);
    void dialer.prefill('0987654321');
    dialer.setAttribute('floating', 'bottom-right');
    expect((await now()).slice(0, 3)).to.deep.equal([true, true, true]);
  });

  it('stays closed when the page only clears the display', async () => {
    const dialer = await start();
    void dialer.prefill('');
    expect(await now()).to.deep.equal([false, false, false, []]);
  });

  it('is open when the event comes, and is closed again by who hears it', async () => {
    const dialer = await start();
    const seen: boolean[] = [];
    dialer.addEventListener(
      'dialer-toggle',
      () => {
        seen.push(isDrawn());
        dialer.open = false;
      },
      { once: true },
    );
    dialer.open = true;
    expect(await now()).to.deep.equal([false, false, false, [true, false]]);
    expect(seen).to.deep.equal([true]);
  });

  it('opens for a call that comes in, and for one that the page places', async () => {
    const dialer = await start();
    await ringOn(dialer);
    expect(await now()).to.deep.equal([true, true, true, [true]]);
    await page.close();
    const other = await start();
    await other.call('0912345678');
    expect(await now()).to.deep.equal([true, true, true, [true]]);
  });

  it('is open from the start where the page says so, also for null and undefined as frameworks set them', async () => {
    page = await openDialer({ floating: 'bottom-right', open: 'open' });
    expect(isDrawn()).to.equal(true);
    for (const nothing of [null, undefined]) {
      Object.assign(page.dialer, { open: nothing });
      await nextTurn();
      expect([isDrawn(), page.dialer.hasAttribute('open')]).to.deep.equal([false, false]);
      page.dialer.open = true;
      await nextTurn();
      expect(isDrawn()).to.equal(true);
    }
  });

  it('has no effect on a dialer in the page, which neither sets it nor tells of it', async () => {
    const dialer = await start({});
    await dialer.call('0912345678');
    expect(await now()).to.deep.equal([false, false, true, []]);
    dialer.open = true;
    expect(await now()).to.deep.equal([true, true, true, []]);
    dialer.open = false;
    expect(await now()).to.deep.equal([false, false, true, []]);
  });
});
