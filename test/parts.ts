/** What `npm test` and the workflow `check` play. */

const node = (name: string, files: string) =>
  `node --disable-warning=ExperimentalWarning --import tsx --test --test-concurrency=4 --test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit --test-reporter-destination=reports/${name}.xml ${files}`;

/** For the shell. The report of each is `reports/NAME.xml`. */
export const PARTS: Readonly<Record<string, string>> = {
  browser: 'wtr',
  node: node(
    'node',
    'test/package/*.test.ts test/demo/*/*.test.ts test/demo/*/*/*.test.ts demo/server/test/*.test.ts demo/companion/test/*.test.ts demo/sandbox/test/control/*.test.ts demo/sandbox/test/exchange/*.test.ts demo/sandbox/test/rest/*.test.ts',
  ),
  e2e: 'playwright test --project=end-to-end',
  slow: `npm run build && npm run build --prefix demo/sandbox && ${node('slow', 'test/slow/*.test.ts demo/*/test/slow/*.test.ts')}`,
  sdk: 'playwright test --project=conformance',
};
