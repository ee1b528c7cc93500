/** Who can be rung: the dialers that have registered, one entry per contact address. */
import type { IncomingRegisterRequest, URI } from 'sip.js/lib/core/index.js';
import { challenge, claimedUser, isAuthorized } from './sip-digest.ts';
import type { Member, World } from '../world/world.ts';

export interface Registration {
  readonly memberNo: string;
  readonly contact: URI;
  readonly socketId: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly until: number;
}

const DEFAULT_EXPIRES_S = 600;

export class Registrar {
  readonly #world: World;
  readonly #registrations = new Map<string, Registration>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Answers one REGISTER: a challenge, a refusal, or the entry made, renewed or removed. */
  register(request: IncomingRegisterRequest, socketId: string): void {
    const { message } = request;
    const authorization = message.getHeader('authorization');
    const member = this.#memberOf(claimedUser(authorization));
    if (authorization === undefined || member === undefined) {
      if (authorization !== undefined) request.reject({ statusCode: 403 });
      else this.#challenge(request);
      return;
    }
    if (!isAuthorized(authorization, message.callId, 'REGISTER', member.sipPassword)) {
      request.reject({ statusCode: 403 });
      return;
    }
    const expires = expiresOf(request);
    const contact: unknown = message.parseHeader('contact');
    if (isContact(contact)) this.#set(member, contact.uri, socketId, expires);
    else if (expires === 0)
      this.#forget((one) => one.memberNo === member.memberNo && one.socketId === socketId);
    const extraHeaders =
      isContact(contact) && expires > 0 ? [`Contact: <${contact.uri.toRaw()}>;expires=${expires}`] : [];
    request.accept({ statusCode: 200, extraHeaders });
  }

  /** The member registered with this SIP user on this very socket. */
  memberOn(socketId: string, sipUser: string | undefined): Member | undefined {
    const member = this.#memberOf(sipUser);
    const registered = this.current().some(
      (one) => one.socketId === socketId && one.memberNo === member?.memberNo,
    );
    return registered ? member : undefined;
  }

  current(): Registration[] {
    this.#forget((one) => one.until <= Date.now());
    return [...this.#registrations.values()];
  }

  of(memberNo: string): Registration[] {
    return this.current().filter((one) => one.memberNo === memberNo);
  }

  forgetSocket(socketId: string): void {
    this.#forget((one) => one.socketId === socketId);
  }

  #challenge(request: IncomingRegisterRequest): void {
    const extraHeaders = [`WWW-Authenticate: ${challenge(request.message.callId)}`];
    request.reject({ statusCode: 401, extraHeaders });
  }

  #memberOf(sipUser: string | undefined): Member | undefined {
    return sipUser === undefined ? undefined : this.#world.memberBySipUser(sipUser);
  }

  #set(member: Member, contact: URI, socketId: string, expires: number): void {
    const key = `${member.memberNo} ${contact.aor}`;
    const since = this.#registrations.get(key)?.since ?? Date.now();
    if (expires === 0) this.#registrations.delete(key);
    else {
      const until = Date.now() + expires * 1000;
      this.#registrations.set(key, { memberNo: member.memberNo, contact, socketId, since, until });
    }
  }

  #forget(matches: (registration: Registration) => boolean): void {
    for (const [key, one] of this.#registrations) if (matches(one)) this.#registrations.delete(key);
  }
}

/** Seconds asked for: at the contact, else in the header; `*` and 0 unregister. */
export function expiresOf({ message }: IncomingRegisterRequest): number {
  const atContact = /;\s*expires=(\d+)/i.exec(message.getHeader('contact') ?? '')?.[1];
  return Number(atContact ?? message.getHeader('expires') ?? DEFAULT_EXPIRES_S);
}

function isContact(value: unknown): value is { readonly uri: URI } {
  return typeof value === 'object' && value !== null && 'uri' in value;
}
