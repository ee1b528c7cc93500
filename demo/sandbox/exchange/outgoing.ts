/** A call from a member's dialer: permission, cost, and the behaviour of the number dialled. */
import type { IncomingInviteRequest } from 'sip.js/lib/core/index.js';
import { planFor, type Plan } from '../world/numbers.ts';
import { PROJECT_ID } from '../world/sip-account.ts';
import type { CallEnd, Member, World } from '../world/world.ts';
import type { AudioPeer } from './audio-peer.ts';
import { startMeter } from './call-charge.ts';
import { Call, sdpBody, type CallContext } from './call.ts';

const RINGING_BEFORE_402_MS = 1000;

interface Dialled {
  readonly number: string;
  readonly hotline: string | undefined;
}

/** Reads `{hotline}*{pid}*{number}`, or the same without hotline, as the SDK dials. */
export function readDialled(user: string | undefined): Dialled | undefined {
  const found = new RegExp(`^(?:([^*]*)\\*)?${PROJECT_ID}\\*(.*)$`).exec(decode(user ?? ''));
  if (found === null) return undefined;
  return { number: found[2] ?? '', hotline: found[1] };
}

/**
 * The status a call is refused with because of its caller; undefined: it may go through. SIP has none for "no hotline":
 * 406, a member not activated, comes nearest when no hotline lets them call, and 415, a bad parameter, when the one
 * asked for is not theirs.
 */
export function refusalFor(world: World, member: Member, hotline: string | undefined): number | undefined {
  const callable = world.callableHotlines(member);
  if (callable.length === 0) return 406;
  if (hotline !== undefined && !callable.some(({ number }) => number === hotline)) return 415;
  return member.balance > 0 ? undefined : 402;
}

export class OutgoingCall extends Call {
  readonly #request: IncomingInviteRequest;
  readonly #socketId: string;
  #peer: AudioPeer | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopMeter: (() => void) | undefined;

  constructor(
    request: IncomingInviteRequest,
    socketId: string,
    member: Member,
    dialled: Dialled,
    context: CallContext,
  ) {
    super(
      {
        memberNo: member.memberNo,
        direction: 'outgoing',
        number: dialled.number,
        hotline: dialled.hotline ?? context.world.callableHotlines(member)[0]?.number,
        externalCallId: request.message.getHeader('X-exc-id'),
      },
      context,
    );
    this.#request = request;
    this.#socketId = socketId;
    request.delegate = { onCancel: () => this.#refuse(487, 'caller', 'CANCEL') };
  }

  /** Goes through with the call, or refuses it with the given status. */
  start(refusal: number | undefined): void {
    const plan: Plan =
      refusal === undefined ? planFor(this.record.number) : { kind: 'refuse', status: refusal };
    if (plan.kind === 'refuse') {
      this.#refuseByPlan(plan.status);
      return;
    }
    this.#peer = this.createPeer();
    void this.#ring(plan, this.#peer);
  }

  override socketClosed(socketId: string): void {
    if (socketId === this.#socketId && this.record.state !== 'answered') {
      this.#refuse(487, 'caller', 'socket-closed');
    }
  }

  protected override giveUp(): void {
    this.#refuse(603);
  }

  protected override release(): void {
    clearTimeout(this.#timer);
    this.#stopMeter?.();
    void this.#peer?.close();
  }

  async #ring(plan: Exclude<Plan, { kind: 'refuse' }>, peer: AudioPeer): Promise<void> {
    this.record.state = 'ringing';
    const { answerAfter } = this.context.world.settings;
    if (plan.kind !== 'early-media') this.#request.progress({ statusCode: 180 });
    let answer: string;
    try {
      answer = await peer.answer(this.#request.message.body);
    } catch {
      this.#refuse(488);
      return;
    }
    if (this.isOver || plan.kind === 'never') return;
    if (plan.kind === 'early-media') {
      this.#request.progress({ statusCode: 183, body: sdpBody(answer) });
      peer.startRingback();
    }
    const planned = plan.kind === 'early-media' ? plan.answerAfterMs : plan.afterMs;
    this.#timer = setTimeout(() => this.#answer(answer, peer), answerAfter || planned);
  }

  #answer(answer: string, peer: AudioPeer): void {
    const { session } = this.#request.accept({ statusCode: 200, body: sdpBody(answer) });
    this.converse(session, peer);
    this.#stopMeter = startMeter(this.context.world, this.record, this.context.minuteMs);
  }

  #refuseByPlan(status: number): void {
    if (status === 402 && this.context.world.settings.paymentRefusal === 'after-ringing') {
      this.record.state = 'ringing';
      this.#request.progress({ statusCode: 180 });
      this.#timer = setTimeout(() => this.#refuse(status), RINGING_BEFORE_402_MS);
      return;
    }
    this.#refuse(status);
  }

  #refuse(status: number, by: 'caller' | 'callee' = 'callee', how: CallEnd = 'response'): void {
    if (this.isOver) return;
    const { paymentPhrase } = this.context.world.settings;
    // A blank phrase leaves the exchange as an empty one.
    const phrase = status === 402 ? { reasonPhrase: paymentPhrase || ' ' } : {};
    this.#request.reject({ statusCode: status, ...phrase });
    this.end(status, by, how);
  }
}

function decode(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return user;
  }
}
