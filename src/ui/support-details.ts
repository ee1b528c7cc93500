/**
 * The text that an agent sends to support, in English: versions, what has kept them from calling, the last calls, the network.
 * Customers stay unnamed, and what looks like a secret is left out, whoever has put it into a message.
 */
import { parseAddress } from '../page/address.ts';
import { warnings } from '../page/console.ts';
import type { LoggedCall } from '../dialer/calls/call-log.ts';
import type { DialerState } from '../dialer/state/state.ts';

/** As in package.json; a test compares them. */
export const VERSION = '0.1.0';
const LAST_CALLS = 5;
const MOST_READINESS_ENTRIES = 20;
/** Of a telephone number, enough to find the call in a log. */
const [FIRST_DIGITS, LAST_DIGITS] = [4, 2];

/** What the dialer was ready for, and what kept the member from calling. `at`: epoch milliseconds. */
export interface ReadinessEntry extends Pick<DialerState, 'line' | 'block'> {
  readonly at: number;
}

interface SupportFacts {
  readonly state: DialerState;
  /** The oldest one first. */
  readonly readiness: readonly ReadinessEntry[];
  /** The newest one first. */
  readonly calls: readonly LoggedCall[];
  readonly brokerUrl: string;
  readonly sdkUrl: string;
  /** What the agent can read out; absent: nothing is wrong. */
  readonly code?: string | undefined;
}

/** The oldest one first. Returns the same list when nothing has changed that support would ask about. */
export function logReadiness(
  log: readonly ReadinessEntry[],
  { line, block }: DialerState,
  at: number,
): readonly ReadinessEntry[] {
  const last = log.at(-1);
  const isSame = last?.line.is === line.is && blockerOf(last) === blockerOf({ block });
  return isSame ? log : [...log, { at, line, block }].slice(-MOST_READINESS_ENTRIES);
}

/** Why the member cannot call, and who says so; `undefined`: nothing is in the way. */
function blockerOf({ block }: Pick<DialerState, 'block'>): string | undefined {
  return block.is === 'blocked' ? `${block.reason} (${block.source})` : undefined;
}

export function supportDetails({ state, readiness, calls, brokerUrl, sdkUrl, code }: SupportFacts): string {
  const { member, hotlines, status } = state;
  const facts: Readonly<Record<string, unknown>> = {
    code,
    status,
    version: VERSION,
    at: new Date().toISOString(),
    page: pageAddress(),
    broker: address(brokerUrl),
    sdk: address(sdkUrl),
    browser: navigator.userAgent,
    network: network(),
    member: member?.memberNo,
    extension: member?.extension,
    balance: member?.balance,
    hotlines: hotlines.length,
  };
  const lines = Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}`);
  return [
    ...lines,
    'warnings:',
    ...warnings().map((warning) => row([redacted(warning)])),
    'readiness:',
    ...readiness.map(readinessText),
    'calls:',
    ...calls.slice(0, LAST_CALLS).map(callText),
  ].join('\n');
}

function readinessText(entry: ReadinessEntry): string {
  const { at, line } = entry;
  const parts = [time(at), line.is, blockerOf(entry)];
  if (line.is === 'failed') {
    const { code, message, cause, requestId } = line.error;
    parts.push(code, redacted(message));
    if (cause instanceof Error) parts.push(redacted(`${cause.name}: ${cause.message}`));
    if (requestId !== undefined) parts.push(`request: ${requestId}`);
  }
  return row(parts);
}

function callText({ startedAt, answeredAt, endedAt, ...call }: LoggedCall): string {
  const { direction, number, outcome, status, cost, quality } = call;
  const isOver = answeredAt !== undefined && endedAt !== undefined;
  return row([
    time(startedAt),
    direction,
    masked(number),
    outcome,
    status && `SIP ${status}`,
    isOver && `${Math.round((endedAt - answeredAt) / 1000)} s`,
    cost && `${cost} VND`,
    quality && `MOS ${quality.mos}, worst ${quality.worstMos}, loss ${quality.lossPercent} %`,
    quality?.jitterMs !== undefined && `jitter ${quality.jitterMs} ms`,
    quality?.roundTripMs !== undefined && `round trip ${quality.roundTripMs} ms`,
  ]);
}

function row(parts: readonly unknown[]): string {
  return `- ${parts.filter(Boolean).join(' · ')}`;
}

function time(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

interface NetworkInformation {
  readonly effectiveType?: unknown;
  readonly rtt?: unknown;
  readonly downlink?: unknown;
}

/** Not every browser says more than whether there is one. */
function network(): string {
  const { connection } = navigator as { readonly connection?: NetworkInformation };
  const { effectiveType, rtt, downlink } = connection ?? {};
  return [
    navigator.onLine ? 'online' : 'offline',
    effectiveType,
    rtt !== undefined && `${rtt} ms`,
    downlink !== undefined && `${downlink} Mbit/s`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Without query and fragment, which may hold a secret. */
function address(url: string): string | undefined {
  const { origin, pathname } = parseAddress(url) ?? {};
  return origin && `${origin}${pathname}`;
}

/** A CRM's path may hold a customer's name and number: only its first part is shown, and only if that is one plain word. */
function pageAddress(): string {
  const { origin, pathname } = location;
  const [first = '', ...others] = pathname.split('/').slice(1);
  const parts = [/^[a-z]*(?:\.html?)?$/.test(first) ? first : '…', ...others.map((part) => part && '…')];
  return [origin, ...parts].join('/');
}

function masked(number: string): string {
  if (number.length <= FIRST_DIGITS + LAST_DIGITS) return number;
  return `${number.slice(0, FIRST_DIGITS)}…${number.slice(-LAST_DIGITS)}`;
}

/** Of a message that somebody else has written. */
function redacted(message: string): string {
  return message
    .replaceAll(/[?#]\S*/g, '')
    .replaceAll(/[\w+/=.~-]{32,}/g, '…')
    .replaceAll(/\d(?:[\s().-]{0,2}\d){6,}/g, masked);
}
