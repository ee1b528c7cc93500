import { expect } from '@open-wc/testing';
import * as fc from 'fast-check';
import { isSafe } from 'redos-detector';
import { readNumber } from '../../src/numbers/read.ts';

/** The longest text that is read. */
const SIZE = 250;
/** Each sign is looked at by a few patterns, and the first 17 digits by a few more for each group that may end a number. */
const MOST_STEPS_PER_SIGN = 40;
/** How often a pattern may go back, whatever the length of the text. */
const MOST_BACKTRACKS = 20;

interface Work {
  readonly patterns: ReadonlyMap<string, RegExp>;
  /** Signs that patterns have passed over, counted again for each pattern. */
  readonly steps: number;
}

/** Counts what regular expressions do meanwhile. */
function watchPatterns(work: () => void): Work {
  const original = RegExp.prototype.exec;
  const patterns = new Map<string, RegExp>();
  let steps = 0;
  const watched = function exec(this: RegExp, text: string) {
    const from = this.lastIndex;
    const found = original.call(this, text);
    patterns.set(String(this), this);
    const to = found ? found.index + found[0].length : this.sticky ? from : text.length;
    steps += to - from + 1;
    return found;
  };
  Reflect.set(RegExp.prototype, 'exec', watched);
  try {
    work();
  } finally {
    Reflect.set(RegExp.prototype, 'exec', original);
  }
  return { patterns, steps };
}

const sign = fc.constantFrom(
  ...'0189+ -./()[],;:#*x"\'\ufeff\u200b\u00a0\u2028\n',
  'ext',
  'máy lẻ',
  '(0)',
  '+84 (0)',
  'tel:',
  '0912345678',
  '1900',
  '１',
);
/** The same few signs again and again, with something else behind them. */
const nasty = fc
  .tuple(fc.array(sign, { minLength: 1, maxLength: 4 }), fc.array(sign, { maxLength: 2 }), sign)
  .map(([front, end, first]) => {
    const unit = front.join('');
    return `${first}${unit.repeat(SIZE)}`.slice(0, SIZE - end.join('').length) + end.join('');
  });

describe('a text that somebody pastes', () => {
  it('never has a pattern go back over what it has read', () => {
    const { patterns } = watchPatterns(() => {
      for (const text of fc.sample(fc.array(sign, { maxLength: 6 }), 2000)) readNumber(text.join(''));
    });
    expect(patterns.size).to.be.above(10);
    for (const [name, pattern] of patterns) {
      const { score } = isSafe(pattern, { maxScore: MOST_BACKTRACKS, timeout: 5000 });
      expect(score.infinite ? Infinity : score.value, name).to.be.at.most(MOST_BACKTRACKS);
    }
  });

  it('costs a few steps for each sign, whatever it holds', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const { steps } = watchPatterns(() => readNumber(text));
        expect(steps / text.length).to.be.below(MOST_STEPS_PER_SIGN);
      }),
      { numRuns: 500 },
    );
  });

  it('may hold as many invisible signs as it likes', () => {
    const invisible = '\ufeff'.repeat(200);
    expect(readNumber(`0912${invisible}345678`)).to.deep.equal({ is: 'number', dialled: '0912345678' });
    expect(readNumber(`0912345678${invisible}x`)).to.deep.equal({ is: 'invalid', why: 'letters' });
  });
});
