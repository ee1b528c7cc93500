/** Colours, corners and room: what a page may choose, and what stays readable whatever it chooses. */
import { expect } from '@open-wc/testing';
import { session } from '../support/fake-broker.ts';
import { FakeVbot } from '../support/fake-vbot.ts';
import {
  button,
  findIn,
  openBlocked,
  openDialer,
  openReady,
  part,
  press,
  reaches,
  sdk,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';

const READABLE = 4.5;
const ACCENTS = [
  '#1d4ed8',
  '#facc15',
  '#ec4899',
  '#111827',
  '#f9fafb',
  '#16a34a',
  '#7c3aed',
  '#767676',
  '#00f',
];

const TWO_NUMBERS = ['842899990001', '842899990002'].map((number) => ({ name: number, phoneNumber: number }));

describe('the look of a dialer', () => {
  let page: DialerPage;

  const find = (selector: string) => findIn(page.dialer, selector);

  const corner = (name: string) =>
    Number.parseFloat(getComputedStyle(part(page.dialer, name)).borderTopLeftRadius);
  const height = () => part(page.dialer, 'card').getBoundingClientRect().height;
  const select = () => find('[part~=hotline] select') as HTMLSelectElement;

  for (const theme of ['light', 'dark'] as const) {
    it(`has text that can be read on any accent, and links in it, in ${theme}`, async () => {
      page = await openBlocked(
        { 'POST session': () => session({ blockers: ['insufficient-funds'] }) },
        { theme },
      );
      const surface = getComputedStyle(part(page.dialer, 'card')).backgroundColor;
      for (const accent of ACCENTS) {
        page.dialer.style.setProperty('--partner-dialer-accent', accent);
        const { color, backgroundColor } = getComputedStyle(part(page.dialer, 'guide-action'));
        expect(contrast(color, backgroundColor), `text on ${accent}`).to.be.at.least(READABLE);
        const link = getComputedStyle(button(page.dialer, 'Copy details')).color;
        expect(contrast(link, surface), `a link in ${accent}`).to.be.at.least(READABLE);
      }
      page.dialer.style.setProperty('--partner-dialer-on-accent', 'rgb(1, 2, 3)');
      expect(getComputedStyle(part(page.dialer, 'guide-action')).color).to.equal('rgb(1, 2, 3)');
    });
  }

  it('rounds its buttons as the page rounds its card', async () => {
    page = await openReady();
    const cards: number[] = [];
    const shares: number[] = [];
    for (const radius of ['12px', '24px']) {
      page.dialer.style.setProperty('--partner-dialer-radius', radius);
      cards.push(corner('card'));
      shares.push(corner('call-button') / corner('card'));
    }
    expect(cards[1]).to.equal(2 * Number(cards[0]));
    expect(shares[1]).to.equal(shares[0]);
    expect(shares[0]).to.be.within(0.1, 1);
  });

  it('keeps its height and its width whoever calls, with a name of 3000 letters', async () => {
    page = await openReady();
    const { dialer } = page;
    const usual = height();
    const { clientWidth } = part(dialer, 'card');
    const name = `${'M'.repeat(300)} ${'Nguyễn Thị Mai '.repeat(180)}`;
    const expectUsual = (view: string) => {
      expect(height(), view).to.equal(usual);
      expect(part(dialer, 'card').scrollWidth, `the width, ${view}`).to.equal(clientWidth);
    };
    await dialer.call('0912345678', { name });
    expectUsual('ringing');
    sdk().accept();
    await reaches(dialer, 'in-call');
    await press(dialer, 'Keys');
    expectUsual('the keys open');
    await dialer.hangUp();
    await reaches(dialer, 'ended');
    expectUsual('the result');
    await press(dialer, 'Recent calls');
    expectUsual('the list');
    expect(find('[role=group] li > *').getBoundingClientRect().height).to.be.below(150);
  });

  it('cuts no descender of a name, with a line of what the page knows below it', async () => {
    page = await openDialer();
    const { dialer } = page;
    dialer.lookup = () => [{ code: 'c1', name: 'Nguyễn Quý gypq', context: 'Tour Đà Nẵng · 2 khách' }];
    await reaches(dialer, 'ready');
    await dialer.call('0912345678');
    await until(() => textOf(dialer).includes('Tour Đà Nẵng'), 'the context');
    for (const font of ['sans-serif', 'serif', 'monospace', 'system-ui']) {
      dialer.style.fontFamily = font;
      const box = find('[title^="Nguyễn Quý"]');
      const text = document.createElement('canvas').getContext('2d');
      if (!text) throw new Error('no canvas');
      text.font = getComputedStyle(box).font;
      const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = text.measureText('gypq');
      expect(box.clientHeight, font).to.be.at.least(Math.floor(above + below));
      expect(box.scrollHeight, font).to.be.at.most(box.clientHeight);
    }
  });

  it('shows the caller number that the next call goes out with, when the numbers change', async () => {
    FakeVbot.onBoot = (vbot) => vbot.register(TWO_NUMBERS);
    page = await openReady();
    const { dialer } = page;
    for (const number of ['842899990002', '842899990001', '842899990002']) {
      select().value = number;
      select().dispatchEvent(new Event('change'));
      await dialer.updateComplete;
    }
    const numbers = ['842899990001', '842899990009'];
    const hotlines = numbers.map((number) => ({ name: number, phoneNumber: number }));
    sdk().emit('onHotlinesUpdated', { hotlines });
    await until(() => select().options[1]?.value === numbers[1], 'the other number');
    expect([...select().options].map(({ value }) => value)).to.deep.equal(numbers);
    expect(select().value, 'in sight').to.equal('842899990001');
    await dialer.call('0912345678');
    expect(dialer.state.call.is === 'dialing' && dialer.state.call.info.hotline).to.equal('842899990001');
  });
});

/** By WCAG; of colours in any notation. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map((byte) => {
    const share = byte / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
