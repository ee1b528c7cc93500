/**
 * The client behind all `<vbot-widget>` of the page: its start, its registration, its socket. Orders and texts as they
 * were measured with the vendor's build.
 */
import { PlayedCalls } from './calls.ts';
import type { CallerNumber } from './caller-numbers.ts';
import { Delivery } from './delivery.ts';
import { normalBehavior, type Behavior } from './behavior.ts';
import type { PlayedSocket } from '../support/socket.ts';
import type { World } from './world.ts';

const TEXTS = {
  bootFailed: 'Khởi tạo SDK thất bại',
  registrationFailed: 'Đăng ký Client thất bại',
  connectionFailed: 'Kết nối thất bại',
} as const;

const INFO_MS = { slow: 12_000, never: 10_000_000 } as const;
/** When the SDK tries to open its socket again. */
const SOCKET_RETRIES_MS = [2000, 4000, 9000, 24_000, 30_000] as const;
/** The same text again within this time is no event. */
const REPEAT_MS = 3000;
/** A client that goes away waits so long for what is still under way. */
const CLOSING_MS = 2000;

export class PlayedClient {
  readonly behavior: Behavior = normalBehavior();
  readonly widgets = new Set<HTMLElement>();
  readonly delivery: Delivery;
  readonly calls: PlayedCalls;
  isRegistered = false;
  /** The page may not know the truth about the registration. */
  isBlurred = false;
  boots = 0;
  /** What it was booted with last. */
  token = '';
  hotlines: readonly CallerNumber[] = [];
  socket: PlayedSocket | undefined;
  /** When it was opened, by `clock.lived`. */
  socketAt = -Infinity;
  /** From the first attempt to connect to the removal of an element. */
  life: object | undefined;
  readonly world: World;
  /** It is the page, and not the dialer, that removes the element. */
  isTakenAway = false;
  /** When the page removed the element last, by `clock.lived`. */
  lostWidgetAt = -Infinity;
  /** When it lost its element or its socket last, in the order of the world. */
  lostAt = 0;
  /** When it lost its socket last, by `clock.lived`. */
  lostSocketAt = -Infinity;
  #shown: { text: string; at: number } | undefined;

  constructor(world: World) {
    this.world = world;
    this.delivery = new Delivery(world, this.behavior);
    this.calls = new PlayedCalls(this);
  }

  enter(widget: HTMLElement): void {
    this.widgets.add(widget);
    if (this.widgets.size > 1) this.world.violate('e two SDK elements');
    this.emit('onHotlinesUpdated', { hotlines: [] });
    const token = widget.getAttribute('token');
    this.token = token ?? '';
    this.isBlurred = false;
    if (!token) return;
    this.world.broker.use(token);
    this.#boot();
  }

  get hasSocket(): boolean {
    return this.socket?.readyState === 1;
  }

  /** The page removes the element, wherever the dialer has put it. */
  loseWidget(): void {
    const { call } = this.calls;
    // A start that is under way would register all the same.
    if (this.widgets.size === 0 || !this.life) return;
    this.lostAt = this.world.next();
    if (call) call.isExcused = true;
    this.#cutCalls();
    this.lostWidgetAt = this.world.clock.lived;
    this.world.exchange.license('removal of the SDK');
    this.isTakenAway = true;
    for (const widget of this.widgets) {
      const root = widget.getRootNode();
      // Nobody else can reach into its closed shadow root.
      if (root instanceof ShadowRoot) root.host.remove();
      else widget.remove();
    }
    this.isTakenAway = false;
  }

  leave(widget: HTMLElement): void {
    this.widgets.delete(widget);
    this.world.next();
    if (this.life) this.world.exchange.unregister(this.life);
    this.calls.destroy();
    const { socket } = this;
    this.world.clock.later(CLOSING_MS, () => socket?.close());
    this.life = undefined;
    this.isRegistered = false;
    this.isBlurred &&= this.isTakenAway;
  }

  emit(name: string, detail?: unknown): void {
    if (this.delivery.isBlurring) {
      this.isBlurred = true;
      this.calls.blur();
    }
    this.delivery.emit(this.widgets, name, detail);
  }

  notify(kind: 'error' | 'warning' | 'info', text: string): void {
    const { now } = this.world.clock;
    if (this.#shown?.text === text && now - this.#shown.at < REPEAT_MS) return;
    this.#shown = { text, at: now };
    const name = { error: 'onError', warning: 'onWarning', info: 'onInfo' }[kind];
    this.emit(name, { message: text });
  }

  onReach(isOnline: boolean): void {
    if (!isOnline) this.loseSocket();
  }

  /** The network or the exchange's end of the socket is gone; the client comes back by itself. */
  loseSocket(): void {
    const { life, socket } = this;
    if (!life || socket?.readyState !== 1) return;
    socket.close();
    this.#socketClosed(life, socket);
  }

  #socketClosed(life: object, socket: PlayedSocket): void {
    if (this.socket !== socket) return;
    this.socket = undefined;
    this.lostAt = this.world.next();
    this.lostSocketAt = this.world.clock.lived;
    this.#cutCalls();
    this.calls.onSocketLost();
    this.emit('onDisconnected');
    if (this.isRegistered) {
      this.isRegistered = false;
      this.world.exchange.unregister(life);
      this.emit('onUserDisconnected');
    }
    this.#retry(life, 0);
  }

  /** The registrar takes no refresh any more. */
  refuseRefresh(): void {
    if (!this.life || !this.isRegistered) return;
    this.isRegistered = false;
    this.world.exchange.unregister(this.life);
    this.notify('error', TEXTS.registrationFailed);
    this.emit('onUserDisconnected');
    this.emit('onUserConnectionFailed', { error: TEXTS.connectionFailed });
  }

  /** An end that the dialer has not read yet may look like a loss. */
  #cutCalls(): void {
    for (const call of this.world.exchange.calls) call.isCut ||= call.leftAt === undefined;
  }

  /** Nothing stops it: a start whose element has left meanwhile registers all the same. */
  #boot(): void {
    const {
      behavior: { boot },
      token,
    } = this;
    this.boots += 1;
    this.world.clock.later(boot === 'slow' || boot === 'never' ? INFO_MS[boot] : 100, () => {
      if (boot === 'refused' || !this.world.page.isOnline) return this.#failBoot();
      this.hotlines = boot === 'no-hotlines' ? [] : this.world.broker.callerNumbersOf(token);
      this.emit('onHotlinesUpdated', { hotlines: this.hotlines });
      if (this.life) return;
      this.life = {};
      this.#connect(this.life, boot);
    });
  }

  #failBoot(): void {
    this.notify('error', TEXTS.bootFailed);
    this.emit('onUserConnectionFailed', { error: TEXTS.bootFailed });
  }

  #connect(life: object, boot: Behavior['boot']): void {
    this.emit('onConnecting');
    // The page may watch this one, as it may the real one.
    this.socket = new WebSocket('wss://exchange.example', 'sip') as unknown as PlayedSocket;
    const { socket } = this;
    socket.heard = (message) => this.calls.far.hears(message, socket);
    this.socketAt = this.world.clock.lived;
    if (!this.world.page.isOnline) {
      socket.close();
      return this.#retry(life, 0);
    }
    // The dialer closes it, too. The client hears of that when it has sent what it is sending.
    socket.addEventListener('close', () => this.#soon(life, 0, () => this.#socketClosed(life, socket)));
    if (boot === 'silent') return;
    this.#soon(life, 40, () => {
      this.emit('onConnected');
      this.#soon(life, boot === 'unanswered' ? 32_000 : 60, () => this.#register(life, boot));
    });
  }

  #register(life: object, boot: Behavior['boot']): void {
    if (this.socket?.readyState !== 1) return;
    if (boot === 'unanswered' || boot === 'not-registered') {
      this.notify('error', TEXTS.registrationFailed);
      return this.emit('onUserConnectionFailed', { error: TEXTS.connectionFailed });
    }
    this.isRegistered = true;
    this.world.exchange.register(life);
    this.emit('onUserConnected');
  }

  #retry(life: object, attempt: number): void {
    const last = SOCKET_RETRIES_MS.length - 1;
    this.#soon(life, SOCKET_RETRIES_MS[Math.min(attempt, last)] ?? 0, () => {
      if (!this.world.page.isOnline) return this.#retry(life, attempt + 1);
      this.#connect(life, 'ok');
    });
  }

  #soon(life: object, ms: number, work: () => void): void {
    this.world.clock.later(ms, () => this.life === life && work());
  }
}
