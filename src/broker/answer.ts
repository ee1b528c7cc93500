/** What a broker's answer means to the dialer, and the answer that is a session: whatever else one may be comes later. */
import {
  envelopeSchema,
  sessionSchema,
  tokenSchema,
  type Hotline,
  type Links,
  type Member,
} from './contract.ts';
import * as z from '../schema.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Headers | undefined;
}

/** Why the broker would not do what the agent asked for; each has a sentence of its own in the guide. */
export type Notice = 'top-up-limit' | 'top-up-off' | 'top-up-later' | 'top-up-refused' | 'top-up-admin-short';

/** May the member call, and if not, why? */
export interface Readiness {
  readonly member?: Member | undefined;
  readonly hotlines?: readonly Hotline[] | undefined;
  readonly blockers: readonly string[];
  readonly links?: Links | undefined;
  readonly notice?: Notice | undefined;
}

/** A broker that says "no money" may give no token at all: then there is nothing to boot, only something to guide. */
export interface Session extends Readiness {
  readonly token?: string | undefined;
  readonly expiresAt?: string | undefined;
}

/** @returns `undefined`: it is none */
export function readSession({ status, body }: HttpAnswer): Session | undefined {
  const json = parseJson(body);
  const { error = 0, data = json } = z.safeParse(envelopeSchema, json).data ?? {};
  if (status >= 400 || error !== 0) return undefined;
  const bare = z.safeParse(tokenSchema, data);
  if (bare.success) return { token: bare.data, blockers: [] };
  const session = z.safeParse(sessionSchema, json).data;
  return session && { ...session, blockers: session.blockers ?? [] };
}

export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not even JSON: no schema accepts undefined, so the caller's status rules decide.
    return undefined;
  }
}
