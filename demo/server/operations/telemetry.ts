/** What operators see of the companion: log lines and metrics, neither of which holds a key, a token or a telephone number. */
import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { pino, type DestinationStream, type Logger } from 'pino';
import { Counter, Histogram, Registry } from 'prom-client';
import type { FromNode } from '../http/from-node.ts';
import { isProblem } from '../http/problem.ts';
import type { OpenApiOptions } from '../open-api/open-api.ts';

const KEY_NOT_ACCEPTED = 401;
const SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class Watch {
  readonly log: Logger;
  readonly metrics = new Registry();
  readonly #requests = this.#histogram('companion_request_seconds', 'Requests answered', ['route', 'status']);
  readonly #calls = this.#histogram('companion_vendor_seconds', 'Calls of the vendor', [
    'operation',
    'outcome',
  ]);
  readonly #topUps = new Counter({
    name: 'companion_top_ups_total',
    help: 'Top-ups asked for by agents, by how they ended',
    labelNames: ['why'],
    registers: [this.metrics],
  });

  /** @param lines where log lines go; the standard output, unless told */
  constructor({ logLevel }: { readonly logLevel: string }, lines?: DestinationStream) {
    this.log = pino({ level: logLevel, base: null }, lines);
  }

  /** For the vendor's client. */
  readonly vendorCall: OpenApiOptions['observe'] = (operation, outcome, ms) => {
    const code = outcome === 'ok' ? outcome : outcome.code;
    this.#calls.observe({ operation, outcome: code }, ms / 1000);
    if (outcome === 'ok') return;
    const { vendorCode } = outcome;
    // A revoked key stops every telephone, and only a person can bring another.
    const level = vendorCode === KEY_NOT_ACCEPTED ? 'error' : 'warn';
    this.log[level]({ operation, outcome: code, vendorCode, ms: Math.round(ms) }, 'vendor');
  };

  /** A step of provisioning that failed, though the member may have got their token. */
  failedStep(name: string, detail: string): void {
    this.log.warn({ step: name, detail }, 'provisioning');
  }

  topUp(why: string): void {
    this.#topUps.inc({ why });
  }

  /** Gives every request an id, and tells of it once it is answered. */
  readonly requests: MiddlewareHandler<FromNode> = async (c, next) => {
    const begin = performance.now();
    const { incoming, outgoing } = c.env;
    const given = String(incoming.headers['x-request-id'] ?? '');
    // A proxy's id is kept, as long as it can be nothing but an id.
    const requestId = /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
    outgoing.setHeader('X-Request-Id', requestId);
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

  #histogram<L extends string>(name: string, help: string, labelNames: L[]): Histogram<L> {
    return new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [this.metrics] });
  }
}
