import { expect } from '@open-wc/testing';
import { openReady, passTime, reaches, ringOn, sdk, textOf, until } from '../support/dialer.ts';

describe('an agent in a call', () => {
  for (const [lang, calling, ringing, from] of [
    ['en', 'Calling…', /Ringing… 00:0[3-9]/, 'From Sales'],
    ['vi', 'Đang gọi…', /Đang đổ chuông… 00:0[3-9]/, 'Gọi từ Sales'],
  ] as const) {
    it(`sees with whom, from which number, and how far it is, in ${lang}`, async () => {
      const { dialer } = await openReady({ lang });
      await dialer.call('0912345678', { name: 'Nguyễn Thị Mai' });
      await dialer.updateComplete;
      expect(textOf(dialer)).to.include('Nguyễn Thị Mai').and.include('0912 345 678').and.include(from);
      expect(textOf(dialer)).to.include(calling).and.not.match(ringing);
      ringAtFarEnd();
      await passTime(3500);
      await until(() => ringing.test(textOf(dialer)), 'the seconds of the ringing');
      await expect(dialer).to.be.accessible();
      sdk().accept();
      await reaches(dialer, 'in-call');
      expect(textOf(dialer)).to.include('Nguyễn Thị Mai').and.include('0912 345 678').and.include(from);
      expect(textOf(dialer)).not.to.match(ringing);
    });
  }

  it('reads the name largest, and without a name the number', async () => {
    const { dialer } = await openReady();
    const largest = () =>
      [...(dialer.shadowRoot?.querySelectorAll<HTMLElement>('[part~=card] p') ?? [])]
        .toSorted(
          (a, b) => parseFloat(getComputedStyle(b).fontSize) - parseFloat(getComputedStyle(a).fontSize),
        )
        .at(0)
        ?.textContent?.trim();
    await ringOn(dialer, '0987654321', 'Trần Văn Bình');
    expect(largest()).to.equal('Trần Văn Bình');
    await dialer.reject();
    await ringOn(dialer);
    expect(largest()).to.equal('0987 654 321');
  });
});

/** The SDK has a session for a call once the exchange says that the far phone rings. */
function ringAtFarEnd(): void {
  const { session } = sdk();
  const data = { id: 'out-1', phoneNumber: '0912345678', direction: 'outgoing', session };
  sdk().getCallData = () => data;
}
