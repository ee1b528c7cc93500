/** What operators see of the companion: log lines and metrics, neither of which holds a key, a token or a telephone number. */
import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { pino, type DestinationStream, type Logger } from 'pino';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { FromNode } from '../http/context.ts';
import { isProblem } from '../http/problem.ts';
import type { VendorOptions } from '../vendor/client.ts';

const KEY_NOT_ACCEPTED = 401;
const SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const HOUR_MS = 3_600_000;

export interface TelemetryPolicy {
  readonly logLevel: string;
  /** Reverse proxies in front of this server. */
  readonly proxyHops: number;
}

export class Telemetry {
  readonly log: Logger;
  /** Security events, for whoever keeps them apart: each line has `kind: "security"`. */
  readonly #security: Logger;
  readonly metrics = new Registry();
  readonly #requests = this.#histogram('companion_request_seconds', 'Requests answered', ['route', 'status']);
  readonly #calls = this.#histogram('companion_vendor_seconds', 'Calls of the vendor', ['path', 'outcome']);
  readonly #topUps = this.#counter(
    'companion_top_ups_total',
    'Top-ups asked for by agents, by how they ended',
    ['why'],
  );
  readonly #ledgerFailures = this.#counter(
    'companion_ledger_failures_total',
    'Times the ledger could not be used',
    [],
  );
  readonly #unexplained = new Gauge({
    name: 'companion_unexplained_vnd',
    help: 'Change of the partner account that no top-up of ours explains, by the last daily reconciliation',
    registers: [this.metrics],
  });
  readonly #proxyHops: number;
  /** When an unexpected proxy was told of, by `performance.now`. */
  #forwardedAt = -Infinity;

  /** @param lines where log lines go; the standard output, unless told */
  constructor({ logLevel, proxyHops }: TelemetryPolicy, lines?: DestinationStream) {
    this.log = pino({ level: logLevel, base: null }, lines);
    this.#security = this.log.child({ kind: 'security' });
    this.#proxyHops = proxyHops;
  }

  /** For the vendor's client. */
  readonly vendorCall: VendorOptions['observe'] = (path, outcome, ms) => {
    const code = outcome === 'ok' ? outcome : outcome.code;
    this.#calls.observe({ path, outcome: code }, ms / 1000);
    if (outcome === 'ok') return;
    const { vendorCode } = outcome;
    // A revoked key stops every telephone, and only a person can bring another.
    const level = vendorCode === KEY_NOT_ACCEPTED ? 'error' : 'warn';
    this.log[level]({ path, outcome: code, vendorCode, ms: Math.round(ms) }, 'vendor');
  };

  /** A step of provisioning that failed, though the member may have got their token. */
  failedStep(name: string, detail: string): void {
    this.log.warn({ step: name, detail }, 'provisioning');
  }

  /** An agent asked for money. */
  topUp(memberNo: string, why: string): void {
    this.#topUps.inc({ why });
    this.#security.info({ memberNo, why }, 'top-up asked for');
  }

  /** Somebody failed to sign in where only few may. */
  failedSignIn(to: 'operator' | 'webhooks', from: string): void {
    this.#security.warn({ to, from }, 'failed sign-in');
  }

  ledgerFailure(error: Error): void {
    this.#ledgerFailures.inc();
    this.log.error({ err: error }, 'ledger');
  }

  unexplained(vnd: number): void {
    this.#unexplained.set(vnd);
  }

  /** Gives every request an id, and tells of it once it is answered. */
  readonly requests: MiddlewareHandler<FromNode> = async (c, next) => {
    const begin = performance.now();
    const { incoming, outgoing } = c.env;
    const given = String(incoming.headers['x-request-id'] ?? '');
    // A proxy's id is kept, as long as it can be nothing but an id.
    const requestId = /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
    outgoing.setHeader('X-Request-Id', requestId);
    if (this.#proxyHops === 0 && incoming.headers['x-forwarded-for'] !== undefined) this.#warnOfProxy();
    await next();
    const { status } = c.res;
    if (status >= 400 && isProblem(c.res)) {
      const body = JSON.stringify({ ...((await c.res.json()) as object), requestId });
      c.res = new Response(body, { status, headers: c.res.headers });
    }
    // The pattern and not the path: what somebody typed there could be anything.
    const route = matchedRoutes(c).findLast(({ path }) => !path.endsWith('*'))?.path ?? 'none';
    const ms = performance.now() - begin;
    this.#requests.observe({ route, status }, ms / 1000);
    this.log.info({ requestId, method: c.req.method, route, status, ms: Math.round(ms) }, 'request');
  };

  /** Behind a proxy that nobody has told us of, all anonymous requests share one budget. */
  #warnOfProxy(): void {
    const now = performance.now();
    if (now - this.#forwardedAt < HOUR_MS) return;
    this.#forwardedAt = now;
    this.log.warn('X-Forwarded-For is ignored: set PROXY_HOPS to the number of your reverse proxies.');
  }

  #histogram<L extends string>(name: string, help: string, labelNames: L[]): Histogram<L> {
    return new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [this.metrics] });
  }

  #counter<L extends string>(name: string, help: string, labelNames: L[]): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.metrics] });
  }
}
