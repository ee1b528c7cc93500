import { expect } from '@open-wc/testing';
import { toMos, rateTransmission } from '../../src/quality/e-model.ts';

const good = { codec: 'pcmu', delayMs: 0, lossPercent: 0, burstRatio: 1 };

describe('the E-model', () => {
  it('gives the best narrowband call R 93.2 and MOS 4.41, as G.107 does', () => {
    expect(rateTransmission(good)).to.equal(93.2);
    expect(toMos(93.2)).to.be.closeTo(4.41, 0.005);
  });

  it('turns R into the MOS of G.107, table B.1', () => {
    const table = [
      [90, 4.34],
      [80, 4.03],
      [70, 3.6],
      [60, 3.1],
      [50, 2.58],
    ] as const;
    for (const [rating, mos] of table) expect(toMos(rating), `R ${rating}`).to.be.closeTo(mos, 0.01);
    expect(toMos(0)).to.equal(1);
    expect(toMos(-20)).to.equal(1);
    expect(toMos(110)).to.equal(4.5);
  });

  it('takes nothing off for 100 ms, and 24 for the 400 ms that G.114 calls the limit', () => {
    expect(rateTransmission({ ...good, delayMs: 100 })).to.equal(93.2);
    expect(rateTransmission({ ...good, delayMs: 400 })).to.be.closeTo(93.2 - 24.1, 0.1);
  });

  it('takes Ie,eff of G.113 off for loss, more where it comes in bursts, and where the codec is not known', () => {
    const lossy = { ...good, lossPercent: 5 };
    expect(rateTransmission(lossy)).to.be.closeTo(93.2 - (95 * 5) / (5 + 25.1), 0.001);
    expect(rateTransmission({ ...lossy, burstRatio: 2 })).to.be.below(rateTransmission(lossy));
    expect(rateTransmission({ ...lossy, codec: 'another' })).to.be.below(
      rateTransmission({ ...lossy, codec: 'opus' }),
    );
  });
});
