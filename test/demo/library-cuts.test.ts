/** The plain script has zod with its answers put in. It must accept, change and refuse the same as zod itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { build, type Rollup } from 'vite';
import { LibraryCuts } from '../../demo/dev/library-cuts.ts';

type Contract = typeof import('../../src/broker/contract.ts');
type Parsing = Pick<typeof import('../../src/schema.ts'), 'safeParse'> &
  Pick<typeof import('../../src/sdk/vbot/messages.ts'), 'parseHotlines' | 'textIn'> &
  Pick<typeof import('../../src/broker/refusal-contract.ts'), 'problemSchema' | 'readinessSchema'>;

const ENTRY = fileURLToPath(new URL('contract-and-schema.ts', import.meta.url));
const SOURCE = `export * from '../../src/broker/contract.ts'; export * from '../../src/broker/refusal-contract.ts';
export { safeParse } from '../../src/schema.ts'; export { parseHotlines, textIn } from '../../src/sdk/vbot/messages.ts';`;

async function parsing(isCut: boolean): Promise<Contract & Parsing> {
  const libraries = new LibraryCuts();
  const output = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'cuts',
        enforce: 'pre',
        resolveId: (id) => (id === ENTRY ? id : undefined),
        load: (id) => (id === ENTRY ? SOURCE : undefined),
        transform: (code, id) => (isCut ? libraries.apply(code, id) : undefined),
      },
    ],
    build: { write: false, minify: false, lib: { entry: ENTRY, formats: ['es'] } },
  })) as Rollup.RollupOutput[];
  const code = output[0]?.output[0].code ?? '';
  assert.equal(code.includes('instanceof Promise'), !isCut);
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Contract & Parsing;
}

const text = fc.constantFrom('', ' ', 'a', ' An ', 'HOTLINE', 'VND', 'a.b.c', '/dialer/status');
const value = fc.oneof(text, fc.constantFrom(undefined, null, 0, 402, 1.5, Number.NaN, true, {}, []));
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(fc.oneof(arbitrary, value), { nil: undefined });
const some = (names: readonly string[], arbitrary: fc.Arbitrary<unknown>) =>
  fc.record(Object.fromEntries(names.map((name) => [name, arbitrary])), { requiredKeys: [] });

const answer = fc.record(
  {
    token: value,
    code: value,
    requestId: value,
    blockers: optional(fc.array(value, { maxLength: 3 })),
    expiresAt: value,
    member: optional(some(['memberNo', 'name', 'extension', 'balance', 'currency', 'expiresAt'], value)),
    hotlines: optional(
      fc.array(some(['name', 'number', 'code', 'type', 'phoneNumber'], value), { maxLength: 3 }),
    ),
    links: optional(some(['status', 'topUp', 'hotline', 'calls', 'customers'], value)),
    error: value,
    message: value,
    data: value,
    __proto__: value,
  },
  { requiredKeys: [] },
);

function read(code: Contract & Parsing, given: unknown) {
  const { sessionSchema, envelopeSchema, memberSchema, problemSchema, readinessSchema, safeParse } = code;
  const schemas = [sessionSchema, envelopeSchema, memberSchema, problemSchema, readinessSchema];
  return schemas.map((schema) => {
    const { success, data, error } = safeParse(schema, given);
    return { success, data, paths: error?.issues.map(({ path = [] }) => path.join('.')) };
  });
}

test(
  'zod without what nobody asks it for accepts, changes and refuses the same',
  { timeout: 60_000 },
  async () => {
    const [whole, cut] = await Promise.all([parsing(false), parsing(true)]);
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(answer, value), (given) => {
        const wanted = read(whole, given);
        accepted += wanted.filter(({ success }) => success).length;
        assert.deepEqual(read(cut, given), wanted);
        const hotlines = (Object(given) as { hotlines?: unknown }).hotlines;
        assert.deepEqual(cut.parseHotlines(hotlines), whole.parseHotlines(hotlines));
        assert.equal(cut.textIn(given), whole.textIn(given));
      }),
      { numRuns: 3000 },
    );
    assert.notEqual(accepted, 0, 'some of them are accepted');
  },
);
