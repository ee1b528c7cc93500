/** Whether a webhook is the vendor's: it carries the secret that was agreed on, or the one before. */
import type { MiddlewareHandler } from 'hono';
import { addressOf } from '../http/address.ts';
import type { FromNode } from '../http/context.ts';
import type { Limits } from '../http/limits.ts';
import { isSame } from '../http/middleware.ts';
import { problem } from '../http/problem.ts';
import type { Telemetry } from './telemetry.ts';

export interface WebhookPolicy {
  /** What `Authorization` holds; absent: nobody may send any. */
  readonly webhookAuth: string | undefined;
  /** Still believed, while the vendor's is being changed. */
  readonly previousWebhookAuth: string | undefined;
  readonly proxyHops: number;
}

export function requireWebhookAuth(
  { webhookAuth, previousWebhookAuth, proxyHops }: WebhookPolicy,
  limits: Limits,
  telemetry: Telemetry,
): MiddlewareHandler<FromNode> {
  const secrets = [webhookAuth, previousWebhookAuth].filter((secret) => secret !== undefined);
  return async ({ env: { incoming } }, next) => {
    const { authorization = '' } = incoming.headers;
    if (webhookAuth !== undefined && secrets.some((secret) => isSame(authorization, secret))) {
      return (await limits.webhook()) ?? next();
    }
    const refused = await limits.anonymous(incoming);
    if (refused) return refused;
    if (webhookAuth === undefined) return problem('not-found');
    telemetry.failedSignIn('webhooks', addressOf(incoming, proxyHops));
    return problem('webhook-unauthorized');
  };
}
