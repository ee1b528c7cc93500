/** What operators read of a companion, line by line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VendorError } from '../../../../demo/server/open-api/open-api.ts';
import { Watch } from '../../../../demo/server/operations/telemetry.ts';

const [WARNING, ERROR] = [40, 50];

function openWatch(): { watch: Watch; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { watch: new Watch({ logLevel: 'info' }, { write }), lines };
}

test('a key that the vendor does not accept any more is an error, other trouble a warning, success no line', () => {
  const { watch, lines } = openWatch();
  watch.vendorCall?.('issueToken', new VendorError('refused', 'x', { vendorCode: 401 }), 3);
  watch.vendorCall?.('addMoney', new VendorError('refused', 'x', { vendorCode: 402 }), 3);
  watch.vendorCall?.('readMember', new VendorError('unreachable', 'x'), 5000);
  watch.vendorCall?.('listHotlines', 'ok', 3);
  assert.deepEqual(
    lines.map(({ level, operation, vendorCode }) => [level, operation, vendorCode]),
    [
      [ERROR, 'issueToken', 401],
      [WARNING, 'addMoney', 402],
      [WARNING, 'readMember', undefined],
    ],
  );
});

test('a step that failed is told, though the agent has their token', () => {
  const { watch, lines } = openWatch();
  watch.failedStep('hotline', 'HL9 is not among the 2 listed');
  assert.deepEqual(
    lines.map(({ level, step, detail }) => [level, step, detail]),
    [[WARNING, 'hotline', 'HL9 is not among the 2 listed']],
  );
});
