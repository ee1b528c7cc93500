/** Reports to a partner's address how calls ended. */
import type { AutoCall, CallRecord, WebhookSettings, World } from '../world/world.ts';
import { describeAutoCall } from './auto-call-api.ts';
import { describeResult } from './call-results.ts';
import { secondsTalked } from './call-rows.ts';

const RESPONSE_TIMEOUT_MS = 5000;
const DELIVERIES_KEPT = 500;

/** Sends until closed; one delivery after the other. */
export class Webhooks {
  readonly #world: World;
  readonly #closed = new AbortController();
  #queue: Promise<void> = Promise.resolve();

  constructor(world: World) {
    this.#world = world;
    const { signal } = this.#closed;
    world.addEventListener('call', (event) => this.#send(callEvents(world, detailOf(event))), { signal });
    world.addEventListener('auto-call', (event) => this.#send(autoCallEvents(detailOf(event))), { signal });
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#queue;
  }

  #send(events: readonly WebhookEvent[]): void {
    const settings = this.#world.webhooks;
    if (!settings) return;
    for (const event of events) this.#queue = this.#queue.then(() => this.#deliver(event, settings));
  }

  async #deliver({ kind, transId, payload }: WebhookEvent, settings: WebhookSettings): Promise<void> {
    const { url, auth } = settings;
    const { signal } = this.#closed;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(auth && { Authorization: auth }) },
        body: JSON.stringify(payload),
        signal: AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      this.#record(kind, transId, response.status);
    } catch {
      // Nothing is sent again: no retry is documented.
      this.#record(kind, transId, 0);
    }
  }

  #record(kind: string, transId: string, status: number): void {
    const { deliveries } = this.#world;
    deliveries.push({ at: new Date().toISOString(), kind, transId, status });
    if (deliveries.length > DELIVERIES_KEPT) deliveries.shift();
  }
}

interface WebhookEvent {
  readonly kind: string;
  readonly transId: string;
  /** Does not name its kind, as the vendor's do not. */
  readonly payload: unknown;
}

function detailOf<T>(event: Event): T {
  return (event as CustomEvent<T>).detail;
}

function autoCallEvents(call: AutoCall): WebhookEvent[] {
  const { transId, externalCallId } = call;
  const ids = { transId, externalCallId };
  const { callCollectedData: _list, ...log } = describeAutoCall(call);
  const autoCallLog = { ...log, callCollectedData: '[]', metaData: '{}' };
  const autoCallAIExtraction = { ...ids, callCollectedData: '[]' };
  const autoCallRecording = { ...ids, recordUrl: recordUrl(transId) };
  return [
    { kind: 'AUTO_CALL_LOG', transId, payload: autoCallLog },
    { kind: 'AUTO_CALL_AI_EXTRACTION', transId, payload: autoCallAIExtraction },
    { kind: 'AUTO_CALL_RECORDING', transId, payload: autoCallRecording },
    {
      kind: 'AUTO_CALL_COMPLETE',
      transId,
      payload: { autoCallLog, autoCallAIExtraction, autoCallRecording },
    },
  ];
}

function callEvents(world: World, call: CallRecord): WebhookEvent[] {
  const { id: transId, externalCallId = '' } = call;
  const outgoing = call.direction === 'outgoing';
  const agent = String(world.members.get(call.memberNo)?.extension ?? '');
  const manualCallLog = {
    transId,
    groupId: transId,
    typeCall: outgoing ? 2 : 1,
    timeCall: secondsTalked(call),
    durationCall: Math.round(((call.endedAt ?? Date.now()) - call.startedAt) / 1000),
    createAt: call.startedAt,
    callAt: call.answeredAt ?? call.startedAt,
    caller: outgoing ? agent : call.number,
    callerMemberNo: outgoing ? call.memberNo : '',
    callee: outgoing ? call.number : agent,
    calleeMemberNo: outgoing ? '' : call.memberNo,
    disposition: describeResult(call.finalStatus).disposition,
    hangupCause: describeResult(call.finalStatus).cause,
    sipCode: String(call.finalStatus ?? ''),
    hotline: call.hotline ?? '',
    postage: call.cost,
    paymentChannel: 'MONEY',
    externalCallId,
  };
  const manualCallRecording = { transId, externalCallId, recordUrl: recordUrl(transId) };
  const bundle = { manualCallLog, ...(call.answeredAt !== undefined && { manualCallRecording }) };
  return [
    { kind: 'MANUAL_CALL_LOG', transId, payload: manualCallLog },
    { kind: 'MANUAL_CALL_COMPLETE', transId, payload: bundle },
  ];
}

function recordUrl(transId: string): string {
  return `https://vendor.example/v3.0/api/crm/historycall/record/${transId}`;
}
