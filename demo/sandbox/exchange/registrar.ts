/** The dialers that can be called: those that have registered, one entry per contact address. */
import type { IncomingRegisterRequest, IncomingRequestMessage, URI } from 'sip.js/lib/core/index.js';
import type { Member, RegistrationRecord, World } from '../world/world.ts';
import { challenge, claimedUser, isAuthorized } from './sip-digest.ts';

export interface Registration {
  readonly record: RegistrationRecord;
  readonly contact: URI;
  readonly socketId: string;
  /** Milliseconds since 1970. */
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
    const member = this.#findMember(claimedUser(authorization));
    if (authorization === undefined || member === undefined) {
      if (authorization !== undefined) request.reject({ statusCode: 403 });
      else this.#challenge(request);
      return;
    }
    if (!isAuthorized(authorization, message.callId, 'REGISTER', member.sipPassword)) {
      request.reject({ statusCode: 403 });
      return;
    }
    const asked = readExpiry(request);
    const { registerExpires } = this.#world.settings;
    const expires = registerExpires > 0 ? Math.min(asked, registerExpires) : asked;
    const contact: unknown = message.parseHeader('contact');
    if (isContact(contact)) this.#set(member, contact.uri, socketId, expires);
    else if (expires === 0)
      this.#remove('unregistered', (one) => belongsTo(member.memberNo, one) && one.socketId === socketId);
    const extraHeaders =
      isContact(contact) && expires > 0 ? [`Contact: <${contact.uri.toRaw()}>;expires=${expires}`] : [];
    request.accept({ statusCode: 200, extraHeaders });
  }

  /** The member registered with this SIP user on this very socket. */
  memberOn(socketId: string, sipUser: string | undefined): Member | undefined {
    const member = this.#findMember(sipUser);
    if (member === undefined) return undefined;
    return this.forMember(member.memberNo).some((one) => one.socketId === socketId) ? member : undefined;
  }

  current(): Registration[] {
    this.#removeExpired();
    return [...this.#registrations.values()];
  }

  forMember(memberNo: string): Registration[] {
    return this.current().filter((one) => belongsTo(memberNo, one));
  }

  /** Whether this REGISTER renews what its contact has registered already. */
  isRefresh(message: IncomingRequestMessage): boolean {
    const contact: unknown = message.parseHeader('contact');
    return isContact(contact) && this.current().some((one) => one.contact.aor === contact.uri.aor);
  }

  socketClosed(socketId: string): void {
    this.#remove('socket-closed', (one) => one.socketId === socketId);
  }

  #challenge(request: IncomingRegisterRequest): void {
    const extraHeaders = [`WWW-Authenticate: ${challenge(request.message.callId)}`];
    request.reject({ statusCode: 401, extraHeaders });
  }

  #findMember(sipUser: string | undefined): Member | undefined {
    return sipUser === undefined ? undefined : this.#world.memberBySipUser(sipUser);
  }

  #set(member: Member, contact: URI, socketId: string, expires: number): void {
    this.#removeExpired();
    const key = `${member.memberNo} ${contact.aor}`;
    const known = this.#registrations.get(key)?.record;
    if (expires === 0) {
      this.#remove('unregistered', ({ record }) => record === known);
      return;
    }
    const record = known ?? newRecord(member.memberNo, contact);
    if (known === undefined) this.#world.recordRegistration(record);
    else known.refreshes += 1;
    this.#registrations.set(key, { record, contact, socketId, until: Date.now() + expires * 1000 });
  }

  #removeExpired(): void {
    this.#remove('expired', (one) => one.until <= Date.now());
  }

  #remove(how: RegistrationRecord['endedWith'], matches: (registration: Registration) => boolean): void {
    for (const [key, one] of this.#registrations) {
      if (!matches(one)) continue;
      this.#registrations.delete(key);
      one.record.endedWith = how;
      one.record.endedAt = how === 'expired' ? one.until : Date.now();
    }
  }
}

function newRecord(memberNo: string, contact: URI): RegistrationRecord {
  const since = Date.now();
  return {
    memberNo,
    contact: contact.toRaw(),
    since,
    refreshes: 0,
    endedAt: undefined,
    endedWith: undefined,
  };
}

function belongsTo(memberNo: string, { record }: Registration): boolean {
  return record.memberNo === memberNo;
}

/** The requested period in seconds: of the contact, else of the header `Expires`; 0 unregisters. */
function readExpiry({ message }: IncomingRegisterRequest): number {
  const atContact = /;\s*expires=(\d+)/i.exec(message.getHeader('contact') ?? '')?.[1];
  return Number(atContact ?? message.getHeader('expires') ?? DEFAULT_EXPIRES_S);
}

function isContact(value: unknown): value is { readonly uri: URI } {
  return typeof value === 'object' && value !== null && 'uri' in value;
}
