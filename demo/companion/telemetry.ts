/** What operators see of the companion: log lines and metrics, neither of which holds a key, a token or a telephone number. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { pino, type DestinationStream, type Logger } from 'pino';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Config } from './config.ts';
import type { TopUpReason } from './money/movement.ts';
import { describe as describeReconciliation } from './money/reconcile.ts';
import type { Reconciliation } from './money/standing.ts';
import type { MoneyLog, TopUpResult } from './money/result.ts';
import type { Outlook } from './money/top-up.ts';
import type { Step } from './provision.ts';
import type { VendorOptions } from './vbot/client.ts';

const KEY_NOT_ACCEPTED = 401;
const SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const HOUR_MS = 3_600_000;
const STOPS = ['ledger', 'admin-short', 'daily-limit', 'clock-ahead'] as const;
/** Characters that JSON does not escape, but that control a terminal or reverse the text. Strangers and the vendor write into the log. */
const STEERING = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** What caused a line. */
interface Cause {
  readonly requestId: string;
  memberNo?: string;
}

export class Telemetry implements MoneyLog {
  readonly log: Logger;
  readonly #causes = new AsyncLocalStorage<Cause>();
  /** Security events, for whoever keeps them apart: each line has `kind: "security"`. */
  readonly #security: Logger;
  readonly metrics = new Registry();
  readonly #requests = this.#histogram('request_seconds', 'Request duration in seconds', ['route', 'status']);
  readonly #calls = this.#histogram('vendor_seconds', 'Duration of requests to the vendor in seconds', [
    'path',
    'outcome',
  ]);
  readonly #topUps = this.#counter('top_ups_total', 'Top-ups, by requester and result', ['reason', 'why']);
  readonly #paid = this.#counter('top_ups_vnd_total', 'VND paid', []);
  readonly #refusedSignIns = this.#counter('refused_sign_ins_total', 'Rejected sign-ins', ['to']);
  readonly #webhooks = this.#counter('webhooks_total', 'Webhooks received, by kind', ['kind']);
  readonly #skippedRows = this.#counter('skipped_rows_total', "Unreadable rows of the vendor's lists", [
    'list',
  ]);
  readonly #ledgerFailures = this.#counter('ledger_failures_total', 'Times the ledger could not be used', []);
  readonly #stopped = new Gauge({
    ...this.#metric('stopped', '1: nobody is topped up, and this is why'),
    labelNames: ['why'],
  });
  readonly #missing = new Gauge(
    this.#metric(
      'missing_vnd',
      'VND that left the partner account without a matching top-up, and are not explained yet',
    ),
  );
  /** When each warning that strangers can cause was last logged, by `performance.now`. */
  readonly #warnedAt = new Map<string, number>();
  #trouble = '';

  constructor({ logLevel }: Pick<Config, 'logLevel'>, lines: DestinationStream = openOutput()) {
    const write = (line: string) => lines.write(line.replaceAll(STEERING, escape));
    // pino changes the object that it is given.
    const mixin = () => ({ ...this.#causes.getStore() });
    this.log = pino({ level: logLevel, base: null, mixin }, { write });
    this.#security = this.log.child({ kind: 'security' });
  }

  /** Every line that this work causes has the request's id. */
  during<T>(requestId: string, work: () => Promise<T>): Promise<T> {
    return this.#causes.run({ requestId }, work);
  }

  /** From here on, every line of this request names the member. */
  nameMember(memberNo: string): void {
    const cause = this.#causes.getStore();
    if (cause) cause.memberNo = memberNo;
  }

  request(method: string, route: string, status: number, ms: number): void {
    this.#requests.observe({ route, status }, ms / 1000);
    this.log.info({ method, route, status, ms: Math.round(ms) }, 'request');
  }

  /** For the vendor's client. */
  readonly vendorCall: VendorOptions['observe'] = (path, outcome, ms) => {
    const code = outcome === 'ok' ? outcome : outcome.code;
    this.#calls.observe({ path, outcome: code }, ms / 1000);
    if (outcome === 'ok') return;
    const { vendorCode, vendorMessage, message: detail } = outcome;
    // With a revoked key nobody can call, and only a person can replace it.
    const level = vendorCode === KEY_NOT_ACCEPTED ? 'error' : 'warn';
    this.log[level](
      { path, outcome: code, vendorCode, vendorMessage, detail, ms: Math.round(ms) },
      'vendor request failed',
    );
  };

  /** For the vendor's client at LOG_LEVEL=debug. */
  readonly vendorResponse: VendorOptions['trace'] = (trace) => this.log.debug(trace, 'vendor response');

  /** Who has a token now, and why they cannot call with it. */
  session(memberNo: string, blockers: readonly string[]): void {
    this.#security.info({ memberNo, blockers }, 'session');
  }

  /** A step that failed; the member may still have a token. */
  failedStep(memberNo: string, { name, detail }: Step): void {
    this.log.warn({ memberNo, step: name, detail }, 'provisioning step failed');
  }

  /** Logs every payment and every refusal; a session that needs no money is only counted. */
  topUp(memberNo: string, reason: TopUpReason, { status, why, amount, detail }: TopUpResult): void {
    this.#topUps.inc({ reason, why });
    if (status === 'done') this.#paid.inc(amount ?? 0);
    if (status === 'skipped' && reason === 'session') return;
    this.#security.info({ memberNo, reason, why, amount, detail }, 'top-up');
  }

  alert(text: string): void {
    this.log.error(text);
  }

  ledgerFailed(error: Error): void {
    this.#ledgerFailures.inc();
    this.log.error({ err: error }, 'ledger access failed');
  }

  reconciled(found: Reconciliation): void {
    this.log[found.result === 'missing' ? 'error' : 'info'](found, describeReconciliation(found));
  }

  /** Sets the gauges. Logs what stops top-ups when it changes. */
  outlook({ troubles, standing }: Outlook): void {
    for (const why of STOPS) this.#stopped.set({ why }, Number(troubles.some((one) => one.why === why)));
    // NaN: while the ledger cannot be read, the sum is not known.
    this.#missing.set(standing?.missing ?? Number.NaN);
    const trouble = troubles.map(({ text }) => text).join(' ');
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    if (trouble === '') return this.log.info('Top-ups can be made again.');
    const areSome = troubles.every(({ why }) => why === 'clock-ahead');
    this.log.error({ trouble }, areSome ? 'Some top-ups wait.' : 'Top-ups are stopped.');
  }

  /** @param claimed whom the refused token names, which proves nothing */
  refusedToken(why: string, claimed: string | undefined): void {
    this.#refusedSignIns.inc({ to: 'dialer' });
    this.#security.info({ why, claimed }, 'token rejected');
  }

  failedSignIn(to: 'operator' | 'webhooks', from: string): void {
    this.#refusedSignIns.inc({ to });
    this.#security.warn({ to, from }, 'password or webhook secret rejected');
  }

  readonly keysFailed = (error: unknown): void => {
    this.log.error({ err: error }, 'The keys that verify tokens (AUTH_JWKS_URL) cannot be fetched.');
  };

  readonly limitsFailed = (error: unknown): void => {
    const text = 'PostgreSQL does not count the shared rate limits: each companion counts alone.';
    this.warnHourly(text, { why: String(error) });
  };

  /** @param keys of a payload that nobody understands */
  webhook(kind: string, keys?: readonly string[]): void {
    this.#webhooks.inc({ kind });
    if (keys) this.log.warn({ keys }, 'unrecognized webhook payload');
  }

  skippedRows(list: string, count: number): void {
    this.#skippedRows.inc({ list }, count);
    this.log.warn({ list, count }, 'unreadable rows of a vendor list skipped');
  }

  /** For warnings that strangers can cause again and again: logs each text once an hour. */
  warnHourly(text: string, fields: Readonly<Record<string, string>> = {}): void {
    const now = performance.now();
    if (now - (this.#warnedAt.get(text) ?? -Infinity) < HOUR_MS) return;
    this.#warnedAt.set(text, now);
    this.log.warn(fields, text);
  }

  #histogram<L extends string>(name: string, help: string, labelNames: L[]): Histogram<L> {
    return new Histogram({ ...this.#metric(name, help), labelNames, buckets: SECONDS });
  }

  #counter<L extends string>(name: string, help: string, labelNames: L[]): Counter<L> {
    return new Counter({ ...this.#metric(name, help), labelNames });
  }

  #metric(name: string, help: string) {
    return { name: `companion_${name}`, help, registers: [this.metrics] };
  }
}

function escape(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A line that cannot be written, as on a full disk, is lost. pino would end the process, and try for ever to write the line before it ends. */
function openOutput(): DestinationStream {
  const open = () => pino.destination(1).once('error', renew);
  const renew = () => {
    // Also drops the lines that wait: they would fill the memory.
    output.destroy();
    output = open();
  };
  let output = open();
  return { write: (line) => output.write(line) };
}
