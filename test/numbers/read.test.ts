import { expect } from '@open-wc/testing';
import * as fc from 'fast-check';
import type { InvalidNumber } from '../../src/numbers/read.ts';
import { formatNumber, isSameNumber, normalize, readNumber, toDialled } from '../../src/numbers/read.ts';

const MOBILE = '0912345678';

/** What people write, and what is dialled. */
const DIALLED: readonly (readonly [typed: string, dialled: string])[] = [
  // Mobile
  ['0912345678', MOBILE],
  ['0312345678', '0312345678'],
  ['0512345678', '0512345678'],
  ['0712345678', '0712345678'],
  ['0812345678', '0812345678'],
  ['0900000402', '0900000402'],
  // Fixed lines
  ['02838221234', '02838221234'],
  // The army's, the government's, internet telephony
  ['069 555 123', '069555123'],
  ['069.219.4053', '0692194053'],
  ['84 69 555 123', '069555123'],
  ['+84 69 219 4053', '0692194053'],
  ['080 41234', '08041234'],
  ['0672 123 456', '0672123456'],
  // Service numbers
  ['19001234', '19001234'],
  ['1800 1091', '18001091'],
  ['1900 100 1', '19001001'],
  // Short codes and extensions of colleagues
  ['113', '113'],
  ['115', '115'],
  ['1080', '1080'],
  ['101', '101'],
  ['201', '201'],
  ['8001', '8001'],
  ['10086', '10086'],
  // Vietnam from abroad
  ['+ 84 912 345 678', MOBILE],
  ['+84 ( 0 ) 912 345 678', MOBILE],
  ['+84 2(0)3 822 1234', '02038221234'],
  ['00 84 912 345 678', MOBILE],
  ['0084 0912 345 678', MOBILE],
  ['84 0912 345 678', MOBILE],
  ['(84) 912 345 678', MOBILE],
  ['+84 1900 1234', '19001234'],
  ['+84 (0)1900 1234', '19001234'],
  ['+8419001234', '19001234'],
  ['84 1900 1234', '19001234'],
  ['841900545454', '1900545454'],
  // Other countries
  ['0012025550123', '+12025550123'],
  ['00 1 202 555 0123', '+12025550123'],
  ['00 44 20 7946 0958', '+442079460958'],
  ['00 66 81 234 5678', '+66812345678'],
  ['+44 (0)20 7946 0958', '+442079460958'],
  ['+86 10 6552 9988', '+861065529988'],
  ['+81 3-1234-5678', '+81312345678'],
  ['+82 10-1234-5678', '+821012345678'],
  ['+49 30 1234 5678', '+493012345678'],
  ['+49 (0)151 1234 5678', '+4915112345678'],
  ['+39 06 1234 5678', '+390612345678'],
  ['+62 812 3456 7890', '+6281234567890'],
  ['+855 12 345 678', '+85512345678'],
  ['+856 20 5512 3456', '+8562055123456'],
  ['+358 40 123 4567', '+358401234567'],
  ['+683 4123', '+6834123'],
  ['+43 1 234567890123', '+431234567890123'],
  // Copied out of something
  ['tel:0912345678', MOBILE],
  ['TEL:+84-912-345-678', MOBILE],
  ['tel:+84%20912%20345%20678', MOBILE],
  ['tel:%2B84912345678', MOBILE],
  ['tel://0912345678', MOBILE],
  ["'0912345678", MOBILE],
  ['“0912 345 678”', MOBILE],
  ['0912345678,', MOBILE],
  ['0912345678;', MOBILE],
  ['0912345678\r\n', MOBILE],
  ['0912345678.', MOBILE],
  // With a label, a name or a sentence around it
  ['SĐT: 0912.345.678', MOBILE],
  ['SĐT 0912345678', MOBILE],
  ['ĐT:0912345678', MOBILE],
  ['Tel: 0912 345 678 (Anh Minh)', MOBILE],
  ['P: +84 912 345 678', MOBILE],
  ['0912 345 678 (Anh Minh)', MOBILE],
  ['0912345678 (Mai)', MOBILE],
  ['0912345678 - Nguyễn Văn Á'.normalize('NFD'), MOBILE],
  ['Minh <0912345678>', MOBILE],
  ['Mai\n0912345678', MOBILE],
  ['gọi 0912 345 678 nhé', MOBILE],
  ['☎️ 0912345678', MOBILE],
  ['📞0912345678', MOBILE],
  ['Tổng đài: 1900 1234', '19001234'],
  // In the digits of another script, or from a Japanese keyboard
  ['０９１２３４５６７８', MOBILE],
  ['＋８４（０）９１２．３４５．６７８', MOBILE],
  ['電話：０９１２－３４５－６７８', MOBILE],
  ['٠٩١٢٣٤٥٦٧٨', MOBILE],
  ['۰۹۱۲۳۴۵۶۷۸', MOBILE],
  ['०९१२३४५६७८', MOBILE],
  ['091234567８', MOBILE],
  ['𝟎𝟗𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖', MOBILE],
  ['𝟢𝟫𝟣𝟤𝟥𝟦𝟧𝟨𝟩𝟪', MOBILE],
];

/** What is never dialled, and why. */
const REFUSED: readonly (readonly [typed: string, why: InvalidNumber])[] = [
  ['', 'empty'],
  ['   ', 'empty'],
  ['\u200b\u2060', 'empty'],
  ['()-./', 'empty'],
  // Letters and signs
  ['abc', 'letters'],
  ['twelve', 'letters'],
  ['<b>', 'letters'],
  ['0912x', 'letters'],
  ['0912 34S 678', 'letters'],
  ['O912345678', 'letters'],
  ['0912345678#', 'letters'],
  ['*101#', 'letters'],
  ['0912_345_678', 'letters'],
  ['sip:0912345678@example.com', 'letters'],
  ['0912345678x', 'letters'],
  ['19001234xx', 'letters'],
  ['KH0912345678', 'letters'],
  ['Mai_0912345678', 'letters'],
  ['$12345', 'letters'],
  ['SĐT 2: 0912345678', 'letters'],
  ['0912345678\0', 'letters'],
  // Digits that the exchange does not know
  ['0912345678²', 'other-digits'],
  ['①①③', 'other-digits'],
  // Extensions
  ['0912345678 x12', 'extension'],
  ['0912345678x12', 'extension'],
  ['028 3822 1234 ext. 12', 'extension'],
  ['028 3822 1234 ext 12', 'extension'],
  ['028 3822 1234 Extension: 101', 'extension'],
  ['028 3822 1234 máy lẻ 12', 'extension'],
  ['028 3822 1234 máy lẻ 12'.normalize('NFD'), 'extension'],
  ['028 3822 1234 (máy lẻ: 12', 'extension'],
  ['028 3822 1234 số máy lẻ 12', 'extension'],
  ['028 3822 1234 nhánh 3', 'extension'],
  ['028 3822 1234 nội bộ 101', 'extension'],
  ['028 3822 1234 #12', 'extension'],
  ['028 3822 1234,12', 'extension'],
  ['028 3822 1234,,101', 'extension'],
  ['028 3822 1234 - 12', 'extension'],
  ['028 3822 1234 12', 'extension'],
  ['1900 1234 (5)', 'extension'],
  ['19001234 * 2', 'extension'],
  ['0912345678;ext=12', 'extension'],
  ['tel:+842838221234;ext=12', 'extension'],
  ['tel:+842838221234;isub=12', 'extension'],
  ['tel:101;phone-context=+84', 'unknown'],
  ['tel:0912345678;phone-context=example.com', 'unknown'],
  ['+1 202 555 0123 x9', 'extension'],
  ['+1 2025550123 12', 'extension'],
  ['001 2025550123-12', 'extension'],
  ['028 3822 1234 máy lẻ', 'extension'],
  ['0912345678 #', 'extension'],
  // Two numbers
  ['0912345678 / 0987654321', 'two-numbers'],
  ['Mai: 0912345678, Lan: 0987654321', 'two-numbers'],
  ['０９１２３４５６７８／０９８７６５４３２１', 'two-numbers'],
  ['0912345678/0987654321', 'two-numbers'],
  ['0912345678, 0987654321', 'two-numbers'],
  ['0912345678; 0987654321', 'two-numbers'],
  ['0912345678 hoặc 0987654321', 'two-numbers'],
  ['0912345678 or 0987654321', 'two-numbers'],
  ['0912345678 và 0987654321', 'two-numbers'],
  ['0912345678 & 0987654321', 'two-numbers'],
  ['0912345678 | 0987654321', 'two-numbers'],
  ['0912345678\n0987654321', 'two-numbers'],
  ['0912345678\r\n0987654321', 'two-numbers'],
  ['0912345678\u20280987654321', 'two-numbers'],
  ['0912345678\t0987654321', 'two-numbers'],
  ['0912345678 0987654321', 'two-numbers'],
  ['0912345678-0987654321', 'two-numbers'],
  ['0912 345 678 0987 654 321', 'two-numbers'],
  ['0912.345.678.0987.654.321', 'two-numbers'],
  ['(0912345678)(0987654321)', 'two-numbers'],
  ['0912345678\u200b0987654321', 'two-numbers'],
  ['+84912345678+84987654321', 'two-numbers'],
  ['0912345678 +84987654321', 'two-numbers'],
  ['0912345678 x 0987654321', 'two-numbers'],
  ['0912345678 113', 'two-numbers'],
  ['19001234 101', 'two-numbers'],
  ['1900 1234 1800 1091', 'two-numbers'],
  ['849 19001234', 'two-numbers'],
  ['+12025550123 113', 'two-numbers'],
  ['+6561234567/113', 'two-numbers'],
  ['+4915112345678 113', 'two-numbers'],
  ['tel:0912345678, 0987654321', 'two-numbers'],
  ['028 3822 1234/35', 'extension'],
  ['09123456780987654321', 'too-long'],
  ['091234567\r\n8;', 'two-numbers'],
  // Too short
  ['0912345678 a 12', 'letters'],
  ['SĐT: 091234567', 'too-short'],
  ['1800-FLOWERS', 'too-short'],
  ['1', 'too-short'],
  ['12', 'too-short'],
  ['0', 'too-short'],
  ['0912', 'too-short'],
  ['091234567', 'too-short'],
  ['0283822123', 'too-short'],
  ['1900', 'too-short'],
  ['19001', 'too-short'],
  ['1900 123', 'too-short'],
  ['+', 'letters'],
  ['+8', 'too-short'],
  ['+84', 'too-short'],
  ['+84 0', 'too-short'],
  ['+84 91234567', 'too-short'],
  ['+1 202', 'too-short'],
  ['00', 'too-short'],
  // Too long
  ['09123456789', 'too-long'],
  ['028382212345', 'too-long'],
  ['19001234567', 'too-long'],
  ['+849123456789', 'too-long'],
  ['+1 202 555 0123 456 789', 'too-long'],
  ['1234567890123456', 'too-long'],
  ['1'.repeat(99), 'too-long'],
  ['x'.repeat(10_000), 'too-long'],
  // No number that could be dialled
  ['912345678', 'no-prefix'],
  ['38221234', 'no-prefix'],
  ['3822 1234', 'no-prefix'],
  ['113 114', 'no-prefix'],
  // The first zero was pressed twice: two zeros also stand for a plus.
  ['00912345678', 'no-prefix'],
  ['00 912 345 678', 'no-prefix'],
  ['002838221234', 'no-prefix'],
  ['0123456789', 'unknown'],
  ['12025550123', 'no-prefix'],
  ['190012345', 'unknown'],
  ['+0912345678', 'unknown'],
  ['+84 113', 'too-short'],
  ['84 912 345', 'too-short'],
  ['84283822123', 'too-short'],
];

describe('a number as people write it', () => {
  it('is dialled as the exchange knows it', () => {
    for (const [typed, number] of DIALLED) {
      expect(readNumber(typed), JSON.stringify(typed)).to.deep.equal({ is: 'number', dialled: number });
      expect(toDialled(typed)).to.equal(number);
    }
  });

  it('is refused with the reason when it is not exactly one number', () => {
    for (const [typed, why] of REFUSED) {
      expect(readNumber(typed), JSON.stringify(typed)).to.deep.equal({ is: 'invalid', why });
      expect(() => toDialled(typed), typed)
        .to.throw(/^This number cannot be dialled: .+\.$/)
        .with.property('code', 'invalid-number');
    }
  });

  it('is never repeated in the message of the error', () => {
    for (const [typed] of REFUSED.filter(([text]) => /\d{3}/.test(text))) {
      expect(() => toDialled(typed)).to.throw(/^(?!.*\d\d)/);
    }
  });
});

const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
const mobile = fc.tuple(fc.constantFrom('3', '5', '7', '8', '9'), digits(8)).map(([a, b]) => `0${a}${b}`);
const fixed = digits(9).map((rest) => `02${rest}`);
const service = fc
  .tuple(fc.constantFrom('1900', '1800'), fc.oneof(digits(4), digits(6)))
  .map(([a, b]) => a + b);
const short = fc
  .integer({ min: 100, max: 99_999 })
  .map(String)
  .filter((number) => !/^1[89]00/.test(number));
const abroad = fc
  .constantFrom(['1', 10], ['65', 8], ['44', 10], ['86', 11], ['33', 9], ['852', 8], ['7', 10], ['66', 9])
  .chain(([code, length]) => digits(Number(length)).map((rest) => `+${code}${rest}`));
const vietnamese = fc.oneof(mobile, fixed);
const police = fc.oneof(digits(5), digits(6), digits(7)).map((rest) => `069${rest}`);
const dialable = fc.oneof(mobile, fixed, police, service, short, abroad);

const mark = fc.constantFrom(
  ...' -./()·\t\u00a0\u2009\u202f\u3000\u200b\u200e\u200f\u2060\ufeff\u00ad\u2010\u2011\u2012\u2013\u2014\u2212\u202a\u202c\u2066\u2069\ufe0f\ufe63\uff0d',
);
const marks = fc.array(mark, { maxLength: 3 }).map((all) => all.join(''));

/** Puts marks before, between and behind the digits; a plus stays where it is. */
const decorated = (number: fc.Arbitrary<string>) =>
  fc
    .tuple(number, fc.array(marks, { minLength: 17, maxLength: 17 }))
    .map(([plain, between]) => ({
      plain,
      written: [...plain].map((sign, index) => (between[index] ?? '') + sign).join('') + (between[16] ?? ''),
    }))
    // `(0)` behind a calling code is left out on purpose; and nine digits in a row are the end of a foreign number.
    .filter(
      ({ plain, written }) =>
        !plain.startsWith('+') || !/\(\D*0\D*\)|\d{9}\D+\d/.test(written.replaceAll(/\p{Cf}/gu, '')),
    );

const separator = fc.oneof(
  marks.filter((text) => text !== ''),
  fc.constantFrom(
    ', ',
    '; ',
    ' / ',
    '\n',
    '\r\n',
    ' hoặc ',
    ' or ',
    ' và ',
    ' & ',
    '|',
    ' x ',
    '#',
    '*',
    ' máy lẻ ',
    ';ext=',
    'a',
  ),
);

/** The same number in the digits of another script. */
const ZEROS = ['０', '٠', '۰', '०', '๐', '𝟘'];
const inScript = (text: string, zero: string) =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)));

/** A label, a name or a sentence: without digits, and with no sign that belongs to a number or a code. */
const label = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'SĐT',
        'Tel',
        'Điện thoại',
        'Anh Minh',
        'Chị Hà',
        'gọi',
        'nhé',
        'Mr.',
        'Zalo',
        '電話',
        '☎️',
      ),
      fc.stringMatching(/^[a-oq-vyzA-ZĐđƯơạếợ]{4,12}$/),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) => all.join(' '));
const framed = fc.constantFrom<readonly [string, string]>(
  ['', ' '],
  ['', ': '],
  ['', ':'],
  ['', ' - '],
  ['', '\n'],
  ['', '. '],
  ['(', ') '],
);

describe('whatever is written', () => {
  it('around one number, in whatever digits, that number comes out', () => {
    fc.assert(
      fc.property(
        decorated(dialable),
        fc.option(fc.tuple(label, framed)),
        fc.option(fc.tuple(label, framed)),
        fc.constantFrom('0', ...ZEROS),
        ({ plain, written }, front, back, zero) => {
          const before = front ? front[1][0] + front[0] + front[1][1] : '';
          const after = back ? [...back[1][1]].toReversed().join('') + back[0] : '';
          const text = before + inScript(written.trim(), zero) + after;
          expect(readNumber(text), JSON.stringify(text)).to.deep.equal({ is: 'number', dialled: plain });
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('around two numbers, none comes out', () => {
    const maybe = fc.option(label, { nil: '' });
    fc.assert(
      fc.property(
        fc.tuple(
          maybe,
          dialable,
          maybe,
          fc.constantFrom(', ', ' / ', '; ', ' và ', '\n', ' - '),
          maybe,
          dialable,
          maybe,
        ),
        fc.constantFrom('0', ...ZEROS),
        (parts, zero) => {
          expect(readNumber(inScript(parts.join(' '), zero)).is).to.equal('invalid');
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('around the digits of one number, that number comes out', () => {
    fc.assert(
      fc.property(decorated(dialable), ({ plain, written }) => {
        expect(readNumber(written)).to.deep.equal({ is: 'number', dialled: plain });
      }),
      { numRuns: 1000 },
    );
  });

  it('for the calling code of Vietnam, the national number comes out', () => {
    const prefix = fc.constantFrom(
      '+84',
      '0084',
      '84',
      '+84 (0)',
      '0084 (0)',
      '84 (0)',
      '+84 0',
      '(+84) ',
      'tel:+84',
    );
    fc.assert(
      fc.property(prefix, decorated(vietnamese), (code, { plain, written }) => {
        const withoutZero = written.replace('0', '');
        // "849 19001234" may as well be a colleague's extension and a service number.
        fc.pre(!code.startsWith('84') || /^\d{4}/.test(withoutZero));
        expect(readNumber(code + withoutZero)).to.deep.equal({ is: 'number', dialled: plain });
      }),
      { numRuns: 1000 },
    );
  });

  it('between two numbers, none is dialled', () => {
    const either = fc.oneof(
      dialable,
      vietnamese.map((number) => `+84${number.slice(1)}`),
    );
    fc.assert(
      fc.property(either, separator, either, (first, between, second) => {
        expect(readNumber(`${first}${between}${second}`).is).to.equal('invalid');
      }),
      { numRuns: 3000 },
    );
  });

  it('what is dialled is 3 to 15 plain digits, and is dialled again as it is', () => {
    const sign = fc.constantFrom(
      ...'0123456789+84 -./(),;x#*\n\u200b',
      'ext',
      'tel:',
      '84',
      '00',
      '1900',
      '٣',
      '９',
    );
    const anything = fc.oneof(
      fc.string(),
      fc.array(sign, { maxLength: 24 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(anything, (typed) => {
        const reading = readNumber(typed);
        if (reading.is === 'invalid') return;
        expect(reading.dialled).to.match(/^\+?\d{3,15}$/);
        expect(readNumber(reading.dialled)).to.deep.equal(reading);
        expect(readNumber(formatNumber(reading.dialled)), 'as it is shown').to.deep.equal(reading);
        // Nothing but the way abroad is added or left out.
        const typedDigits = typed.replaceAll('٣', '3').replaceAll('９', '9').replace(/\D/g, '');
        const dialled = reading.dialled.replace(/\D/g, '').replace(/^0/, '');
        expect(typedDigits.slice(-dialled.length)).to.equal(dialled);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('a text that somebody pastes', () => {
  /** The longest text that is read. */
  const SIZE = 250;

  it('is read at once, whatever it repeats: no pattern goes back over it again and again', () => {
    const signs = [
      '0',
      '1',
      '8',
      '9',
      '+',
      ' ',
      '-',
      '.',
      '/',
      '(',
      ')',
      ',',
      ';',
      ':',
      '#',
      'x',
      '\ufeff',
      '\n',
    ];
    const words = ['ext', 'máy lẻ', '(0)', '+84 (0)', 'tel:', '0912345678', '1900', '１'];
    const sign = fc.constantFrom(...signs, ...words);
    const hostile = fc.tuple(fc.array(sign, { minLength: 1, maxLength: 4 }), sign, sign);
    fc.assert(
      fc.property(hostile, ([unit, first, last]) => {
        readNumber(`${first}${unit.join('').repeat(SIZE)}`.slice(0, SIZE - last.length) + last);
      }),
      { numRuns: 2000 },
    );
  });

  it('may hold as many invisible signs as it likes', () => {
    const invisible = '\ufeff'.repeat(200);
    expect(readNumber(`0912${invisible}345678`)).to.deep.equal({ is: 'number', dialled: '0912345678' });
  });
});

describe('a number in several spellings', () => {
  const SAME: readonly (readonly string[])[] = [
    ['19001234', '1900 1234', '+8419001234', '+84 1900 1234', '8419001234', '0084 (0) 1900 1234'],
    ['02899990001', '842899990001', '+84 (0)28 9999 0001', '(028) 9999.0001', '84 28 9999 0001'],
    ['101', '1 0 1'],
    ['+12025550123', '001 202 555 0123'],
    ['Sales 1', 'Sales-1'],
  ];
  for (const spellings of SAME) {
    it(`is one number: ${spellings.join(', ')}`, () => {
      expect(new Set(spellings.map(normalize)).size).to.equal(1);
    });
  }

  it('is not taken for another one', () => {
    const all = [...SAME.map(([first = '']) => first), '', '19001235', '0912345678', 'anonymous'];
    expect(new Set(all.map(normalize)).size).to.equal(all.length);
  });
});

describe('numbers as people read them', () => {
  const GROUPED = [
    ['0912345678', '0912 345 678'],
    ['02899990001', '028 9999 0001'],
    ['02439361234', '024 3936 1234'],
    ['02363822123', '0236 3822 123'],
    ['842899990001', '+84 28 9999 0001'],
    ['+842363822123', '+84 236 3822 123'],
    ['+84912345678', '+84 912 345 678'],
    ['19001234', '1900 1234'],
    ['+8419001234', '1900 1234'],
    ['1900545454', '1900 545 454'],
    ['+12025550123', '+1 202 555 0123'],
    ['+6561234567', '+65 6123 4567'],
    ['+33123456789', '+33 123 456 789'],
    ['+8613800138000', '+86 138 0013 8000'],
    ['+85512345678', '+855 1234 5678'],
    ['113', '113'],
    ['101', '101'],
    ['anonymous', 'anonymous'],
    ['12025550123', '12025550123'],
    ['', ''],
  ] as const;
  for (const [number, grouped] of GROUPED) {
    it(`${number || 'nothing'} is written ${grouped || 'as nothing'}`, () => {
      expect(formatNumber(number)).to.equal(grouped);
    });
  }
});

describe('a number, where the page allows any', () => {
  for (const [typed, dialled] of [
    ['*98', '*98'],
    ['#31#0912 345 678', '#31#0912345678'],
    ['123456', '123456'],
    ['11', '11'],
    ['+84 912-345-678', '+84912345678'],
    ['(024) 3936.1234', '02439361234'],
    ['tel:*98', '*98'],
    ['+44 (0)20 7946 0958', '+4402079460958'],
    [' 0912345678 ', '0912345678'],
    ['1'.repeat(32), '1'.repeat(32)],
  ] as const) {
    it(`is dialled as written: ${typed}`, () => {
      expect(toDialled(typed, 'any')).to.equal(dialled);
      expect(isSameNumber(typed, dialled)).to.equal(true);
    });
  }

  it('is found in a longer text, as without it', () => {
    expect(toDialled('SĐT: 0912.345.678', 'any')).to.equal(MOBILE);
  });

  it('is refused where other signs remain, or too few or too many', () => {
    for (const typed of ['', '1', '1'.repeat(33), '98+', 'call me', '12,34', '0912345678, 0987654321'])
      expect(readNumber(typed, 'any').is, typed).to.equal('invalid');
  });

  it('is named with the attribute where the plan of Vietnam refuses it', () => {
    for (const typed of ['*98', '123456', '#31#0912345678'])
      expect(() => toDialled(typed), typed).to.throw(/number-plan="any"/);
    expect(() => toDialled('call me')).to.throw(/^(?!.*number-plan)/);
  });
});
