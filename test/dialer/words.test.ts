import { expect } from '@open-wc/testing';
import { findLanguage } from '../../src/i18n/language.ts';
import {
  formatDayTime,
  formatDuration,
  formatLength,
  formatMoney,
  formatTime,
} from '../../src/i18n/format.ts';
import { LANGUAGES } from '../../src/i18n/words.ts';

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
  for (const [language, words] of Object.entries(LANGUAGES)) {
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
    expect(formatMoney(12_500, 'vi')).to.equal('12.500\u00a0₫');
    expect(formatMoney(-1_234_567, 'en')).to.equal('-1,234,567\u00a0₫');
    for (const language of Object.keys(LANGUAGES)) {
      expect(formatMoney(0.9, language)).to.equal('0\u00a0₫');
      expect(formatMoney(-150, language)).to.equal('-150\u00a0₫');
    }
    expect(formatDuration(133_000)).to.equal('02:13');
    expect(formatDuration(3_733_999)).to.equal('1:02:13');
    const units = ['giờ', 'phút', 'giây'] as const;
    expect(formatLength(86_999, units, 'vi')).to.equal('1\u00a0phút 26\u00a0giây');
    expect(formatLength(3_613_000, units, 'vi')).to.equal('1\u00a0giờ 13\u00a0giây');
    expect(formatLength(120_000, units, 'vi')).to.equal('2\u00a0phút');
    expect(formatLength(-5, units, 'vi')).to.equal('0\u00a0giây');
  });

  it('writes them in any other language as that does', () => {
    const [nine, now] = [new Date(2026, 10, 21, 9, 5).getTime(), new Date(2026, 10, 23).getTime()];
    expect(formatMoney(12_500.9, 'ja')).to.equal('₫12,500');
    expect(formatTime(nine, 'de')).to.equal('09:05');
    expect(formatTime(nine, 'en-US')).to.match(/^09:05\sAM$/);
    expect(formatDayTime(nine, nine, 'de')).to.equal('09:05');
    expect(formatDayTime(nine, now, 'de')).to.match(/^21\.11\.?, 09:05$/);
    expect(formatLength(133_000, ['س', 'د', 'ث'], 'ar-EG')).to.equal('٢\u00a0د ١٣\u00a0ث');
  });

  it('takes the nearest language it speaks', () => {
    const outer = document.createElement('div');
    outer.lang = 'vi-VN';
    const inner = document.createElement('div');
    outer.append(inner);
    expect(findLanguage(inner)).to.equal('vi');
    inner.lang = 'en-GB';
    expect(findLanguage(inner)).to.equal('en');
    inner.lang = 'xx';
    expect(findLanguage(inner)).to.equal('vi');
    inner.lang = 'EN_us';
    expect(findLanguage(inner)).to.equal('en');
    inner.lang = 'english';
    outer.lang = 'fr';
    expect(findLanguage(inner)).to.equal('en');
    expect(findLanguage(inner, true)).to.equal('english');
    inner.lang = '';
    expect(findLanguage(inner, true)).to.equal('fr');
  });
});
