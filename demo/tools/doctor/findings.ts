/** What the doctor found out, check by check, and why a request got no answer. */
import * as z from 'zod/mini';

export interface Finding {
  readonly check: string;
  /** `skipped`: an earlier finding left nothing to ask. */
  readonly result: 'ok' | 'fix' | 'skipped';
  readonly sentence: string;
  readonly todo?: string;
}

export function ok(check: string, sentence: string): Finding {
  return { check, result: 'ok', sentence };
}

export function fix(check: string, sentence: string, todo: string): Finding {
  return { check, result: 'fix', sentence, todo };
}

export function skipped(check: string, why: string): Finding {
  return { check, result: 'skipped', sentence: `Not tried: ${why}.` };
}

/** Milliseconds for one request of the doctor's. */
export const TIMEOUT_MS = 10_000;

const failureSchema = z.object({ code: z.string() });

/** Why a request got no answer, and what to do about it. */
export function explainFailure(error: unknown): { readonly why: string; readonly todo: string } {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return {
      why: `no answer within ${TIMEOUT_MS / 1000} s`,
      todo: 'Check the firewall and proxy of this machine.',
    };
  }
  const own =
    failureSchema.safeParse(error).data ??
    failureSchema.safeParse(error instanceof Error ? error.cause : error).data;
  const code = own?.code ?? 'the request failed';
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) {
    return {
      why: `its name is not found (DNS: ${code})`,
      todo: 'Check the address for typing errors, then the DNS of this machine.',
    };
  }
  if (/CERT|TLS|SSL|SIGNATURE|EPROTO/.test(code)) {
    return {
      why: `no trust in its certificate (TLS: ${code})`,
      todo: 'Check the address and this machine’s clock; behind an inspecting proxy, set NODE_EXTRA_CA_CERTS.',
    };
  }
  return {
    why: `the connection failed (${code})`,
    todo: 'Check host and port of the address, then the firewall of this machine.',
  };
}

const LOOPBACK = /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=[:/]|$)/;

/** A browser gives such an address the microphone, and lets a secure page use it. */
export function isTrustworthy(address: string): boolean {
  return address.startsWith('https:') || LOOPBACK.test(address);
}
