/** One registration at the exchange. After a lost socket, JsSIP reconnects 2 s later, then with growing delays. */
import { UA, WebSocketInterface } from 'jssip';
import type { RTCSession } from 'jssip/lib/RTCSession';
import type { CallOptions, IncomingRTCSessionEvent, OutgoingRTCSessionEvent } from 'jssip/lib/UA';
import type { Account } from './account.ts';
import type { VbotState } from './state.ts';
import { TEXTS } from './texts.ts';

const REGISTER_EXPIRES_S = 10_000;

/** Extensions are dialled without a hotline. */
const EXTENSION = /^\d{3,5}$/;

export class SipClient {
  readonly #account: Account;
  readonly #ua: UA;

  constructor(account: Account, state: VbotState, onIncoming: (session: RTCSession) => void) {
    this.#account = account;
    this.#ua = new UA({
      sockets: new WebSocketInterface(account.socketUrl),
      uri: `sip:${account.username}@${account.realm}`,
      authorization_user: account.username,
      password: account.password,
      register: false,
      register_expires: REGISTER_EXPIRES_S,
      session_timers: false,
    });
    this.#observe(state, onIncoming);
    this.#ua.start();
  }

  call(number: string, hotline: string | undefined, options: CallOptions): RTCSession {
    const { pid, realm } = this.#account;
    const caller = hotline && !EXTENSION.test(number) ? `${hotline}*${pid}` : pid;
    return this.#ua.call(`sip:${caller}*${number}@${realm}`, options);
  }

  /** Ends calls, unregisters, and closes the socket 2 s later, without an event. */
  close(): void {
    this.#ua.removeAllListeners();
    this.#ua.stop();
  }

  #observe(state: VbotState, onIncoming: (session: RTCSession) => void): void {
    const ua = this.#ua;
    ua.on('connecting', () => {
      state.transport.value = 'connecting';
    });
    ua.on('connected', () => {
      state.transport.value = 'connected';
      ua.register();
    });
    ua.on('disconnected', () => {
      state.transport.value = 'disconnected';
    });
    ua.on('registered', () => {
      state.user.value = { status: 'registered' };
    });
    ua.on('unregistered', () => {
      state.user.value = { status: 'none' };
    });
    ua.on('registrationFailed', () => state.failBoot(TEXTS.registrationFailed, TEXTS.connectionFailed));
    ua.on('newRTCSession', (event: IncomingRTCSessionEvent | OutgoingRTCSessionEvent) => {
      if (String(event.originator) === 'remote') onIncoming(event.session);
    });
  }
}
