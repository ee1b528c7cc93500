import { expect } from '@open-wc/testing';
import { en } from '../../src/i18n/en.ts';
import { vi } from '../../src/i18n/vi.ts';
import { languageOf } from '../../src/i18n/language.ts';
import { formatDuration, formatLength, formatMoney } from '../../src/i18n/format.ts';

/** In words, of the sentence that says what is the matter. */
const LONGEST = 10;

const CONNECTION = [
  'configuration',
  'broker-unauthorized',
  'broker-unreachable',
  'broker-invalid-answer',
  'vendor-unreachable',
  'sdk-load-failed',
  'sdk-auth-failed',
  'registration-failed',
  'network-lost',
  'active-elsewhere',
] as const;

describe('a guide', () => {
  for (const [language, words] of Object.entries({ en, vi })) {
    it(`says what is the matter in ${LONGEST} words at most, in ${language}`, () => {
      const { guide, error, otherTab } = words;
      const all = [
        ...Object.values(guide),
        ...CONNECTION.map((code) => error[code]),
        otherTab.text,
        words.blockedByPolicy('script-src'),
      ];
      const firsts = all.map((text) => /^.*?[.](?= |$)/.exec(text)?.[0] ?? text);
      expect(firsts.filter((first) => first.split(/\s/).length > LONGEST)).to.deep.equal([]);
    });
  }
});

describe('money, time and language as people read them', () => {
  it('writes money and time', () => {
    expect(formatMoney(12_500)).to.equal('12.500\u00a0₫');
    expect(formatMoney(0.9)).to.equal('0\u00a0₫');
    expect(formatMoney(-150)).to.equal('-150\u00a0₫');
    expect(formatDuration(133_000)).to.equal('02:13');
    expect(formatDuration(3_733_999)).to.equal('1:02:13');
    const units = ['giờ', 'phút', 'giây'] as const;
    expect(formatLength(86_999, units)).to.equal('1\u00a0phút 26\u00a0giây');
    expect(formatLength(3_613_000, units)).to.equal('1\u00a0giờ 13\u00a0giây');
    expect(formatLength(120_000, units)).to.equal('2\u00a0phút');
    expect(formatLength(-5, units)).to.equal('0\u00a0giây');
  });

  it('takes the nearest language it speaks', () => {
    const outer = document.createElement('div');
    outer.lang = 'vi-VN';
    const inner = document.createElement('div');
    outer.append(inner);
    expect(languageOf(inner)).to.equal('vi');
    inner.lang = 'en-GB';
    expect(languageOf(inner)).to.equal('en');
    inner.lang = 'xx';
    expect(languageOf(inner)).to.equal('vi');
    outer.lang = 'fr';
    expect(languageOf(inner)).to.equal('en');
  });
});
