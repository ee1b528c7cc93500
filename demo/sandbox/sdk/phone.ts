/** The page's one client: every `<vbot-widget>` shares it, and each that is removed from the page destroys it. */
import { Microphone, Sounds, type SoundConfig } from './audio.ts';
import { Calls } from './calls.ts';
import { chooseAccount, fetchHotlines, fetchInfo, SipClient } from './sip.ts';
import { TEXTS, type VbotState, type WireHotline } from './state.ts';

export class Phone {
  readonly microphone: Microphone;
  readonly calls: Calls;
  readonly #state: VbotState;
  #sounds: Sounds | undefined;
  #client: SipClient | undefined;
  #hotline: string | undefined;
  #farVoice: HTMLAudioElement | undefined;

  constructor(state: VbotState) {
    this.#state = state;
    this.microphone = new Microphone(state);
    this.calls = new Calls(state, this.microphone, {
      sounds: () => this.#sounds,
      play: (stream) => this.#playFarVoice(stream),
    });
  }

  /** Loads all three sounds, as every element does when it comes into the page. */
  loadSounds(config: SoundConfig): void {
    this.#sounds?.stop();
    this.#sounds = new Sounds();
    this.#sounds.configure(config);
  }

  configure(config: SoundConfig): void {
    this.#sounds?.configure(config);
  }

  /** Nothing cancels it: a boot whose element was removed meanwhile registers all the same. */
  async boot(base: string, token: string): Promise<void> {
    try {
      const info = await fetchInfo(base, token);
      this.#setHotlines(await fetchHotlines(base, token));
      const account = chooseAccount(info);
      if (!account) throw new Error('The member has no account');
      this.#state.transport.value = 'connecting';
      if (this.#client) return;
      this.#farVoice = addFarVoice();
      this.#client = new SipClient(account, this.#state, (session) => this.calls.ring(session));
    } catch {
      this.#state.failBoot(TEXTS.bootFailed, TEXTS.bootFailed);
    }
  }

  destroy(): void {
    this.calls.forget();
    this.#client?.close();
    this.#client = undefined;
    this.#sounds?.stop();
    this.microphone.close();
    this.#farVoice?.remove();
    this.#farVoice = undefined;
    this.#state.reset();
  }

  /** Resolves whatever happens; a call was started only if `dialing` came before. The hotline stays for later calls. */
  async makeCall(number: string, hotline?: string | null, externalCallId?: string): Promise<void> {
    const client = this.#client;
    if (!client) return this.#state.notify('error', TEXTS.notBooted);
    if (this.#state.user.peek().status !== 'registered') {
      return this.#state.notify('error', TEXTS.notRegistered);
    }
    if (this.#state.call.peek() !== 'idle') return this.#state.notify('error', TEXTS.busy);
    if (hotline) this.#hotline = hotline;
    await this.calls.dial(number, externalCallId, (options) => client.call(number, this.#hotline, options));
  }

  async useOutputDevice(deviceId: string): Promise<boolean> {
    try {
      await this.#farVoice?.setSinkId(deviceId === 'default' ? '' : deviceId);
      return true;
    } catch {
      return false;
    }
  }

  #setHotlines(hotlines: readonly WireHotline[]): void {
    this.#hotline = hotlines[0]?.phoneNumber;
    // An unchanged list raises no event.
    if (JSON.stringify(hotlines) === JSON.stringify(this.#state.hotlines.peek())) return;
    this.#state.hotlines.value = hotlines;
  }

  #playFarVoice(stream: MediaStream | undefined): void {
    if (!this.#farVoice) return;
    this.#farVoice.srcObject = stream ?? null;
    if (stream) this.#farVoice.play().catch(() => undefined);
  }
}

function addFarVoice(): HTMLAudioElement {
  const audio = document.createElement('audio');
  audio.autoplay = true;
  audio.style.display = 'none';
  document.body.append(audio);
  return audio;
}
