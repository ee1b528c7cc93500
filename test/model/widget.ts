/** The vendor's element, played: everything it is asked goes to the one client of the page. */
import type { World } from './world.ts';

let world: World | undefined;

/** The world that elements belong to from now on. */
export function playIn(next: World | undefined): void {
  world = next;
}

class PlayedWidget extends HTMLElement {
  connectedCallback(): void {
    world?.note('      SDK element inserted');
    world?.client.enter(this);
  }

  disconnectedCallback(): void {
    world?.note('      SDK element removed');
    world?.client.leave(this);
  }

  async makeCall(number: unknown, hotline?: unknown, externalCallId?: unknown): Promise<void> {
    this.#check('makeCall');
    await world?.client.calls.make(number, hotline, externalCallId);
  }

  async answerCall(): Promise<void> {
    this.#check('answerCall');
    await world?.client.calls.answer();
  }

  hangupCall(): void {
    this.#check('hangupCall');
    world?.client.calls.hangUp();
  }

  sendDTMF(): void {
    this.#check('sendDTMF');
    world?.client.calls.sendKeys();
  }

  async setAudioInputDevice(): Promise<boolean> {
    this.#check('setAudioInputDevice');
    return (await world?.client.calls.exchangeMicrophone()) ?? false;
  }

  toggleMuteMicrophone(): void {
    this.#check('toggleMuteMicrophone');
    world?.client.calls.toggleMute();
  }

  isMicrophoneMuted(): unknown {
    this.#check('getMuted');
    return world?.client.calls.isMuted;
  }

  getCallState(): unknown {
    this.#check('getCallState');
    return world?.client.calls.state;
  }

  getCallData(): unknown {
    this.#check('getCallData');
    return world?.client.calls.data;
  }

  /** Inside one of its events the SDK would repeat that event with stale data. */
  #check(method: string): void {
    world?.next();
    if (!method.startsWith('get')) world?.note(`      SDK is told ${method}`);
    if (world && world.client.delivery.depth > 0) world.violate('e SDK touched inside its own event', method);
  }
}

customElements.define('vbot-widget', PlayedWidget);
