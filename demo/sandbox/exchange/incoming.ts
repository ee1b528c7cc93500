/** A call to a member: all their dialers ring, and the first to answer has the call. */
import type {
  AckableIncomingResponseWithSession,
  OutgoingInviteRequest,
  UserAgentCore,
} from 'sip.js/lib/core/index.js';
import { URI } from 'sip.js/lib/core/index.js';
import { REALM } from '../world/sip-account.ts';
import type { CallEnd } from '../world/world.ts';
import type { AudioPeer } from './audio-peer.ts';
import { Call, sdpBody, type CallContext } from './call.ts';
import type { Registration } from './registrar.ts';

const RING_MS = 60_000;
const ANSWERED_ELSEWHERE = 'SIP;cause=200;text="Call completed elsewhere"';

export interface Caller {
  /** The number that calls. */
  readonly from: string;
  readonly name?: string | undefined;
  /** At most 32 of a-z0-9. */
  readonly externalCallId?: string | undefined;
}

interface Leg {
  readonly registration: Registration;
  readonly peer: AudioPeer;
  invite: OutgoingInviteRequest | undefined;
}

export class IncomingCall extends Call {
  readonly #core: UserAgentCore;
  readonly #caller: Caller;
  readonly #legs = new Set<Leg>();
  readonly #timer: NodeJS.Timeout;
  #conversation: AudioPeer | undefined;

  constructor(core: UserAgentCore, memberNo: string, caller: Caller, context: CallContext) {
    const member = context.world.members.get(memberNo);
    super(
      {
        memberNo,
        direction: 'incoming',
        number: caller.from,
        hotline: member && context.world.callableHotlines(member)[0]?.number,
        externalCallId: caller.externalCallId,
      },
      context,
    );
    this.#core = core;
    this.#caller = caller;
    this.#timer = setTimeout(() => this.end(408, 'caller', 'timeout'), RING_MS);
  }

  ring(registrations: readonly Registration[]): void {
    for (const registration of registrations) {
      const leg: Leg = { registration, peer: this.createPeer(), invite: undefined };
      this.#legs.add(leg);
      void this.#invite(leg);
    }
  }

  /**
   * Another device of the member answers. The sandbox does not play the conversation: the call counts as answered, and is over
   * at once. False: it does not ring any more.
   */
  answerElsewhere(): boolean {
    if (this.isOver || this.record.state === 'answered') return false;
    for (const leg of this.#legs) this.#drop(leg, ANSWERED_ELSEWHERE);
    this.record.answeredAt = Date.now();
    this.end(200, 'callee', 'answered-elsewhere');
    return true;
  }

  override socketClosed(socketId: string): void {
    if (this.record.state === 'answered') return;
    for (const leg of this.#legs)
      if (leg.registration.socketId === socketId) this.#lose(leg, 480, 'socket-closed');
  }

  protected override giveUp(): void {
    this.end(487, 'caller', 'CANCEL');
  }

  protected override release(): void {
    clearTimeout(this.#timer);
    for (const leg of this.#legs) this.#drop(leg);
    void this.#conversation?.close();
  }

  async #invite(leg: Leg): Promise<void> {
    const offer = await leg.peer.offer();
    if (!this.#legs.has(leg)) return;
    const { contact } = leg.registration;
    const { from, name, externalCallId } = this.#caller;
    const message = this.#core.makeOutgoingRequestMessage(
      'INVITE',
      contact,
      new URI('sip', from, REALM),
      new URI('sip', contact.user ?? '', REALM),
      { fromDisplayName: name?.replaceAll(/["\\\r\n]/g, '') ?? '' },
      [
        `Contact: ${String(this.#core.configuration.contact)}`,
        ...(externalCallId === undefined ? [] : [`X-exc-id: ${externalCallId}`]),
      ],
      sdpBody(offer),
    );
    leg.invite = this.#core.invite(message, {
      onProgress: () => {
        if (this.record.state === 'trying') this.record.state = 'ringing';
      },
      onAccept: (response) => this.#accepted(leg, response),
      onReject: ({ message: { statusCode = 480 } }) => this.#lose(leg, statusCode, 'response'),
    });
  }

  #accepted(leg: Leg, response: AckableIncomingResponseWithSession): void {
    response.ack();
    if (!this.#legs.delete(leg)) {
      // Answered in the moment another dialer did, or the caller gave up.
      response.session.bye();
      return;
    }
    clearTimeout(this.#timer);
    for (const other of this.#legs) this.#drop(other, ANSWERED_ELSEWHERE);
    this.#conversation = leg.peer;
    this.converse(response.session, leg.peer);
    leg.peer.acceptAnswer(response.message.body).catch(() => this.hangUp());
  }

  /** One dialer can no longer answer; the last one decides how the call ended. */
  #lose(leg: Leg, status: number, how: CallEnd): void {
    if (!this.#legs.delete(leg)) return;
    void leg.peer.close();
    if (this.#legs.size === 0 && this.record.state !== 'answered') this.end(status, 'callee', how);
  }

  /** @param reason the value of the Reason header of the CANCEL (RFC 3326) */
  #drop(leg: Leg, reason?: string): void {
    this.#legs.delete(leg);
    leg.invite?.cancel(reason);
    void leg.peer.close();
  }
}
