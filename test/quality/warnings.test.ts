import { expect } from '@open-wc/testing';
import * as fc from 'fast-check';
import { QUALITY_WARNINGS, type QualityWarning } from '../../src/quality/quality.ts';
import { moveWarnings, NO_WARNINGS, raisedWarnings, type WarningSample } from '../../src/quality/warnings.ts';

type Change = Partial<Omit<WarningSample, 'at'>>;

const GOOD: Required<Omit<WarningSample, 'at'>> = {
  muted: false,
  held: false,
  lossToCustomer: 0,
  lossToAgent: 0,
  isSilent: false,
  speaks: false,
};

/** What is raised after each sample; they come every two seconds. */
function play(changes: readonly Change[]): (readonly QualityWarning[])[] {
  let warnings = NO_WARNINGS;
  return changes.map((change, index) => {
    warnings = moveWarnings(warnings, { ...GOOD, ...change, at: index * 2000 });
    return raisedWarnings(warnings);
  });
}

const times = (count: number, change: Change): Change[] => Array.from({ length: count }, () => change);

describe('a warning about the sound of a call', () => {
  it('comes with much loss, stays with some, and goes with little', () => {
    const some = { lossToCustomer: 6 };
    const changes = [...times(4, { lossToCustomer: 20 }), ...times(4, some), ...times(3, {})];
    const isRaised = play(changes).map((raised) => raised.includes('loss-to-customer'));
    expect(isRaised).to.deep.equal([...times(8, {}).map(() => true), false, false, false]);
    expect(play(times(5, some)).flat()).to.deep.equal([]);
  });

  it('never comes while nothing is known, or while the call is held', () => {
    const unknown = { lossToCustomer: undefined, lossToAgent: undefined, isSilent: undefined };
    const bad = { lossToCustomer: 50, lossToAgent: 50, isSilent: true, speaks: true };
    expect(play([...times(20, unknown), ...times(20, { ...bad, held: true })]).flat()).to.deep.equal([]);
  });

  it('tells an agent whose microphone was silent from the beginning, soon; one who only listens, late', () => {
    const silent = { isSilent: true };
    expect(play(times(4, silent)).at(-1)).to.deep.equal(['microphone-silent']);
    expect(play([{}, ...times(9, silent)]).flat()).to.deep.equal([]);
    expect(play([{}, ...times(12, silent)]).at(-1)).to.deep.equal(['microphone-silent']);
    expect(play([...times(6, silent), {}, {}]).at(-1)).to.deep.equal([]);
    expect(play(times(20, { isSilent: true, muted: true })).flat()).to.deep.equal([]);
  });

  it('tells an agent who speaks while muted, until they unmute or say nothing', () => {
    const speaking = { muted: true, speaks: true };
    expect(play([speaking])).to.deep.equal([['muted-speech']]);
    expect(play([speaking, {}]).at(-1)).to.deep.equal([]);
    expect(play([speaking, ...times(3, { muted: true })]).at(-1)).to.deep.equal([]);
    expect(play(times(5, { speaks: true })).flat()).to.deep.equal([]);
  });

  const loss = fc.option(fc.double({ min: 0, max: 30, noNaN: true }), { nil: undefined });
  const sample = fc.record({
    muted: fc.boolean(),
    held: fc.boolean(),
    lossToCustomer: loss,
    lossToAgent: loss,
    isSilent: fc.option(fc.boolean(), { nil: undefined }),
    speaks: fc.boolean(),
  });

  it('never changes twice within five seconds, but for a press that makes it untrue', () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 60 }), (samples) => {
        const raised = play(samples);
        for (const warning of QUALITY_WARNINGS) {
          let changedAt = -Infinity;
          let isOn = false;
          for (const [index, list] of raised.entries()) {
            if (list.includes(warning) === isOn) continue;
            isOn = !isOn;
            const { muted, held } = samples[index] ?? GOOD;
            const isPressed =
              held || (warning === 'muted-speech' ? !muted : warning === 'microphone-silent' && muted);
            if (isOn || !isPressed) expect((index - changedAt) * 2000).to.be.least(5000);
            changedAt = index;
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
