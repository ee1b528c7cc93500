import { expect } from '@open-wc/testing';
import { codeOf } from '../../support/code-of.ts';
import { openReady, reaches, sdk } from '../../support/dialer.ts';

describe('an agent whose browser is slow to list its devices', () => {
  it('answers the second caller at once, though the first gave up while the browser was asked', async () => {
    const { dialer } = await openReady();
    const { mediaDevices } = navigator;
    const enumerateDevices = mediaDevices.enumerateDevices.bind(mediaDevices);
    mediaDevices.enumerateDevices = () => new Promise(() => undefined);
    sdk().ring('0912345678', 'An', 'in-1');
    await reaches(dialer, 'incoming');
    const first = codeOf(dialer.answer());
    sdk().end();
    await reaches(dialer, 'ended');
    mediaDevices.enumerateDevices = enumerateDevices;
    sdk().ring('0987654321', 'Bình', 'in-2');
    await reaches(dialer, 'incoming');
    await dialer.answer();
    expect(dialer.state.status).to.equal('in-call');
    expect(await first).to.equal('not-ready');
  });
});
