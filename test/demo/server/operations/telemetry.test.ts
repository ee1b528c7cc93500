/** What operators read of a companion, line by line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VendorError } from '../../../../demo/server/vendor/response.ts';
import { Telemetry } from '../../../../demo/server/operations/telemetry.ts';

const [WARNING, ERROR] = [40, 50];

function openTelemetry(): { telemetry: Telemetry; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { telemetry: new Telemetry({ logLevel: 'info', proxyHops: 0 }, { write }), lines };
}

test('a key that the vendor does not accept any more is an error, other trouble a warning, success no line', () => {
  const { telemetry, lines } = openTelemetry();
  telemetry.vendorCall?.('api/sdk/tokenSdk', new VendorError('refused', 'x', { vendorCode: 401 }), 3);
  telemetry.vendorCall?.('api/member/addMoney', new VendorError('refused', 'x', { vendorCode: 402 }), 3);
  telemetry.vendorCall?.('api/member/getByMemberNo', new VendorError('unreachable', 'x'), 5000);
  telemetry.vendorCall?.('api/hotline/getAll', 'ok', 3);
  assert.deepEqual(
    lines.map(({ level, path, vendorCode }) => [level, path, vendorCode]),
    [
      [ERROR, 'api/sdk/tokenSdk', 401],
      [WARNING, 'api/member/addMoney', 402],
      [WARNING, 'api/member/getByMemberNo', undefined],
    ],
  );
});

test('a step that failed is told, though the agent has their token', () => {
  const { telemetry, lines } = openTelemetry();
  telemetry.failedStep('hotline', 'HL9 is not among the 2 listed');
  assert.deepEqual(
    lines.map(({ level, step, detail }) => [level, step, detail]),
    [[WARNING, 'hotline', 'HL9 is not among the 2 listed']],
  );
});
