/**
 * Stands for the vendor's SDK: an element that registers at once and reports the calls that the test and the agent make. The
 * definition of an element cannot be removed from a page, so all fake phones share this one; their tokens tell them apart.
 */
import type { Hotline } from '../broker/contract.ts';
import { FakeSession, type FakeCall } from './fake-call.ts';

const TAG = 'vbot-widget';

interface FakeExchange {
  readonly calls: FakeCall[];
  /** The dialer that is registered. */
  widget: FakeWidget | undefined;
  hotlines: () => readonly Hotline[];
  close(): void;
}

export interface FakeWidget {
  register(): void;
  lose(): void;
  ring(number: string, name: string | undefined): void;
  accept(): void;
  endFromOtherParty(): void;
  refuse(status: number): void;
}

const exchanges = new Map<string, FakeExchange>();
let fakeClass: CustomElementConstructor | undefined;

/** @throws {Error} if the page has loaded the vendor's SDK */
export function defineWidget(token: string): FakeExchange {
  const present = customElements.get(TAG);
  if (present && present !== fakeClass) {
    throw new Error(
      `This page has loaded a calling SDK already (<${TAG}> is defined); use fakePhone() in a page that does not load it.`,
    );
  }
  if (!present) {
    fakeClass = createWidgetClass();
    customElements.define(TAG, fakeClass);
  }
  const exchange: FakeExchange = {
    calls: [],
    widget: undefined,
    hotlines: () => [],
    close: () => {
      if (exchange.calls.some(({ state }) => state !== 'ended')) exchange.widget?.endFromOtherParty();
      exchange.widget = undefined;
      exchanges.delete(token);
    },
  };
  exchanges.set(token, exchange);
  return exchange;
}

/** Not at the top of the module: on a server there is no `HTMLElement`. */
function createWidgetClass(): CustomElementConstructor {
  return class extends HTMLElement implements FakeWidget {
    #exchange: FakeExchange | undefined;
    #call: FakeCall | undefined;
    #session: FakeSession | undefined;
    #isUp = false;

    connectedCallback(): void {
      this.#exchange = exchanges.get(this.getAttribute('token') ?? '');
      // In a microtask: the dialer expects no event while it inserts the element. A restored phone sends none.
      void Promise.resolve().then(() => this.register());
    }

    disconnectedCallback(): void {
      this.#end('agent');
      this.#isUp = false;
      if (this.#exchange?.widget === this) this.#exchange.widget = undefined;
    }

    register(): void {
      if (!this.#exchange || !this.isConnected || this.#isUp) return;
      this.#isUp = true;
      this.#exchange.widget = this;
      this.#emit('onHotlinesUpdated', { hotlines: this.getHotlines() });
      this.#emit('onUserConnected');
    }

    lose(): void {
      if (!this.#isUp) return;
      this.#isUp = false;
      this.#emit('onUserDisconnected');
    }

    ring(number: string, name: string | undefined): void {
      if (this.#call) throw new Error('The agent is in a call already.');
      if (!this.#isUp) throw new Error('The connection is lost: nobody can ring.');
      this.#begin({ direction: 'incoming', number, name });
      this.#enter('ringing', 'onCallIncoming');
    }

    accept(): void {
      const call = this.#require('ringing', 'outgoing');
      this.#answered(call);
    }

    endFromOtherParty(): void {
      if (!this.#call) throw new Error('There is no call.');
      this.#end('far-end');
    }

    refuse(status: number): void {
      const call = this.#require('ringing', 'outgoing');
      call.status = status;
      const session = this.#session;
      this.#end('far-end', `SIP ${status}`);
      session?.emit('failed', { originator: 'remote', message: { status_code: status } });
    }

    async makeCall(number: string, hotline?: string, externalCallId?: string): Promise<void> {
      if (this.#call || !this.#isUp) return;
      this.#begin({ direction: 'outgoing', number, hotline, externalCallId });
      this.#enter('dialing', 'onCallProgress');
    }

    async answerCall(): Promise<void> {
      const call = this.#call;
      if (call?.direction === 'incoming' && call.state === 'ringing') this.#answered(call);
    }

    hangupCall(): void {
      this.#end('agent');
    }

    sendDTMF(tone: string): void {
      if (this.#call) this.#call.dtmf += tone;
    }

    toggleMuteMicrophone(): void {
      if (this.#call) this.#call.isMuted = !this.#call.isMuted;
    }

    isMicrophoneMuted(): boolean {
      return this.#call?.isMuted === true;
    }

    getHotlines(): { name: string; phoneNumber: string }[] {
      return (this.#exchange?.hotlines() ?? []).map(({ name, number }) => ({ name, phoneNumber: number }));
    }

    getCallData(): object | null {
      if (!this.#call) return null;
      const { id, direction, number, name, externalCallId } = this.#call;
      return {
        id,
        direction,
        phoneNumber: number,
        displayName: name,
        externalCallId,
        session: this.#session,
      };
    }

    getCallState(): string {
      if (!this.#call) return 'idle';
      if (this.#call.state === 'answered') return 'in-call';
      return this.#call.direction === 'incoming' ? 'ringing' : 'dialing';
    }

    #begin(about: Partial<FakeCall> & Pick<FakeCall, 'direction' | 'number'>): void {
      const call: FakeCall = {
        id: crypto.randomUUID(),
        name: undefined,
        hotline: undefined,
        externalCallId: undefined,
        state: 'ringing',
        endedBy: undefined,
        status: undefined,
        isMuted: false,
        isHeld: false,
        dtmf: '',
        ...about,
      };
      this.#call = call;
      this.#session = new FakeSession(call, () => this.#call === call && this.#end('agent'));
      this.#exchange?.calls.push(call);
    }

    #answered(call: FakeCall): void {
      call.state = 'answered';
      this.#enter('in-call', 'onCallAccepted');
    }

    #end(by: 'agent' | 'far-end', failure?: string): void {
      const call = this.#call;
      if (!call) return;
      const callData = this.getCallData();
      call.state = 'ended';
      call.endedBy = by;
      this.#call = undefined;
      this.#session = undefined;
      this.#emit('onCallStateChange', { state: 'idle' });
      this.#emit('onCallEnded', { callData });
      if (failure !== undefined) this.#emit('onCallFailed', { error: failure });
    }

    #require(state: FakeCall['state'], direction: FakeCall['direction']): FakeCall {
      const call = this.#call;
      if (call?.state === state && call.direction === direction) return call;
      throw new Error(`There is no ${direction} call that is ${state}.`);
    }

    #enter(state: string, event: string): void {
      this.#emit('onCallStateChange', { state });
      this.#emit(event, { callData: this.getCallData() });
    }

    #emit(name: string, detail?: unknown): void {
      this.dispatchEvent(new CustomEvent(`vbot:${name}`, { detail }));
    }
  };
}
