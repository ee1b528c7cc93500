/** What operators read of a companion, line by line. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Telemetry } from '../telemetry.ts';
import { VendorError } from '../vbot/errors.ts';

const [INFO, WARNING, ERROR] = [30, 40, 50];

function openTelemetry(): { telemetry: Telemetry; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { telemetry: new Telemetry({ logLevel: 'info' }, { write }), lines };
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

test('characters that control a terminal or reverse text are escaped, whoever sent them', () => {
  let written = '';
  const telemetry = new Telemetry({ logLevel: 'info' }, { write: (line) => void (written += line) });
  const steering = '\u001b[2J \u009b31m \u007f \u0085 \u202e txt \u2028';
  telemetry.warnHourly('an origin', { origin: steering });
  telemetry.alert(`from the vendor: ${steering}`);
  assert.doesNotMatch(written.replaceAll('\n', ''), /[\p{Cc}\u2028-\u202e]/u);
  assert.equal((JSON.parse(written.split('\n')[0] ?? '') as { origin: string }).origin, steering);
});

test('a failed step is logged, even if the agent has a token', () => {
  const { telemetry, lines } = openTelemetry();
  telemetry.failedStep('agent001', {
    step: 4,
    name: 'hotline',
    status: 'failed',
    detail: 'HL9 is not among the 2 listed',
  });
  assert.deepEqual(
    lines.map(({ level, memberNo, step, detail }) => [level, memberNo, step, detail]),
    [[WARNING, 'agent001', 'hotline', 'HL9 is not among the 2 listed']],
  );
});

test('every payment and refusal is logged; a session that needs no money is only counted', async () => {
  const { telemetry, lines } = openTelemetry();
  telemetry.topUp('agent001', 'session', { status: 'done', why: 'paid', amount: 1000, detail: 'paid' });
  telemetry.topUp('agent002', 'session', { status: 'failed', why: 'limit', detail: 'the limit is reached' });
  telemetry.topUp('agent003', 'agent', { status: 'skipped', why: 'off', detail: 'switched off' });
  telemetry.topUp('agent004', 'session', { status: 'skipped', why: 'enough', detail: 'enough' });
  assert.deepEqual(
    lines.map(({ memberNo, reason, why, amount }) => [memberNo, reason, why, amount]),
    [
      ['agent001', 'session', 'paid', 1000],
      ['agent002', 'session', 'limit', undefined],
      ['agent003', 'agent', 'off', undefined],
    ],
  );
  const metrics = await telemetry.metrics.metrics();
  assert.match(metrics, /^companion_top_ups_total\{reason="session",why="enough"\} 1$/m);
  assert.match(metrics, /^companion_top_ups_vnd_total 1000$/m);
});

test('when top-ups stop and when they work again, one line each is logged', async () => {
  const { telemetry, lines } = openTelemetry();
  for (const text of ['', 'away', 'away', '', '']) {
    const troubles = text === '' ? [] : [{ why: 'ledger' as const, text }];
    telemetry.outlook({ troubles, standing: undefined });
  }
  assert.deepEqual(
    lines.map(({ level, trouble }) => [level, trouble]),
    [
      [ERROR, 'away'],
      [INFO, undefined],
    ],
  );
});

test('payments of a clock that was ahead stop some top-ups, not all: the line and the gauge say so', async () => {
  const { telemetry, lines } = openTelemetry();
  const ahead = { why: 'clock-ahead' as const, text: 'ahead' };
  const stopped = async () =>
    (await telemetry.metrics.metrics()).match(/(?<=companion_stopped\{why=")[\w-]+(?="\} 1)/g);
  telemetry.outlook({ troubles: [ahead], standing: undefined });
  assert.deepEqual(await stopped(), ['clock-ahead']);
  telemetry.outlook({ troubles: [{ why: 'ledger', text: 'away' }, ahead], standing: undefined });
  assert.deepEqual(await stopped(), ['ledger', 'clock-ahead']);
  telemetry.outlook({ troubles: [], standing: undefined });
  assert.equal(await stopped(), null);
  assert.deepEqual(
    lines.map(({ level, msg, trouble }) => [level, msg, trouble]),
    [
      [ERROR, 'Some top-ups wait.', 'ahead'],
      [ERROR, 'Top-ups are stopped.', 'away ahead'],
      [INFO, 'Top-ups can be made again.', undefined],
    ],
  );
});

test('docs/metrics.md lists every metric with its labels, and its alerts ask for metrics that exist', async () => {
  const { telemetry } = openTelemetry();
  const document = readFileSync(new URL('../docs/metrics.md', import.meta.url), 'utf8');
  const listed = [...document.matchAll(/^\| `(companion_\w+)`\s*\|([^|]*)\|/gm)].map(
    ([, name, labels = '']) => [name, labels.replaceAll(/[` ]/g, '')],
  );
  const metrics = telemetry.metrics.getMetricsAsArray() as unknown as {
    name: string;
    labelNames: string[];
  }[];
  assert.deepEqual(
    listed.toSorted(),
    metrics.map(({ name, labelNames }) => [name, labelNames.join(',')]).toSorted(),
  );
  const asked = [...document.matchAll(/expr: .*/g)].flatMap(([line]) => line.match(/companion_\w+/g) ?? []);
  const names = metrics.map(({ name }) => name);
  assert.equal(document.match(/- alert:/g)?.length, 7);
  assert.deepEqual(
    asked.filter((name) => !names.includes(name.replace(/_count$/, ''))),
    [],
  );
});
