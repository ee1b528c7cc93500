/** What random-steps.test.ts does and looks at inside the page, and on the way to the exchange. */
import type { BrowserContext, Page, WebSocketRoute } from '@playwright/test';
import type { CallInfo, DialerState, PartnerDialer } from '../../src/index.ts';

/** At the page's own server, perhaps in another window: the dialer is not told. */
function signIn(memberNo: string): Promise<unknown> {
  const body = JSON.stringify({ memberNo });
  return fetch('/login', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
}

/** What the page's script or the agent does in one moment. */
export const ACTS = {
  /** Each time another number: its answer can be told from those of other calls. */
  call: (dialer) => dialer.call(`09${String(Date.now()).slice(-8)}`),
  'call somebody who lets it ring': (dialer) => dialer.call('0900000100'),
  'call somebody who is busy': (dialer) => dialer.call('0900000486'),
  answer: (dialer) => dialer.answer(),
  'hang up': (dialer) => dialer.hangUp(),
  reject: (dialer) => dialer.reject(),
  mute: (dialer) => dialer.setMuted(true),
  unmute: (dialer) => dialer.setMuted(false),
  hold: (dialer) => dialer.setHeld(true),
  resume: (dialer) => dialer.setHeld(false),
  'press keys': (dialer) => dialer.sendDtmf('12'),
  connect: (dialer) => dialer.connect(),
  disconnect: (dialer) => dialer.disconnect(),
  'check again': (dialer) => dialer.recheck(),
  'use here': (dialer) => dialer.useHere(),
  'change the broker': (dialer) => {
    const isPlain = dialer.getAttribute('broker-url') === '/dialer/session';
    dialer.setAttribute('broker-url', isPlain ? '/dialer/session?again' : '/dialer/session');
  },
  remove: (dialer) => dialer.remove(),
  insert: (dialer) => {
    if (!dialer.isConnected) document.querySelector('aside.telephone')?.append(dialer);
  },
  'somebody signs in': () => signIn('agent001'),
  'somebody else signs in': () => signIn('agent002'),
  'change devices': () => navigator.mediaDevices.dispatchEvent(new Event('devicechange')),
} as const satisfies Readonly<Record<string, (dialer: PartnerDialer) => unknown>>;

export type ActName = keyof typeof ACTS;

interface Watch {
  readonly dialer: PartnerDialer;
  readonly acts: Readonly<Record<string, (dialer: PartnerDialer) => unknown>>;
  /** How often each call of the page has begun and ended. */
  readonly calls: Map<string, { begun: number; ended: number }>;
  readonly microphones: MediaStreamTrack[];
  readonly rejections: string[];
  /** What somebody wanted, and with whom the call was that was in sight then. */
  readonly wishes: Wish[];
}

export interface Wish {
  readonly act: string;
  readonly number: string | undefined;
  /** Who was signed in, as far as the dialer knew. */
  readonly memberNo: string | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
}

declare global {
  interface Window {
    randomSteps: Watch;
  }
}

/** What can be seen from outside at one moment. */
export interface Sight {
  readonly status: DialerState['status'];
  readonly call: DialerState['call']['is'];
  readonly memberNo: string | undefined;
  /** Should the other party hear the agent? `undefined`: there is no answered call. */
  readonly isShownAsHeard: boolean | undefined;
  /** Are the tracks switched on that are sent now? */
  readonly sent: readonly boolean[];
  readonly openMicrophones: number;
  readonly rejections: readonly string[];
  /** Of the calls that have begun, those that have not ended exactly once, apart from the present one. */
  readonly wrongEnds: readonly string[];
  readonly wishes: readonly Wish[];
}

/** Before any script of a page: what it opens is remembered. */
export async function watchMicrophones(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const microphones: MediaStreamTrack[] = [];
    Reflect.set(globalThis, 'microphones', microphones);
    const { mediaDevices } = navigator;
    // The empty page of a new tab has none.
    if (!(mediaDevices as MediaDevices | undefined)) return;
    const open = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async (constraints) => {
      const stream = await open(constraints);
      microphones.push(...stream.getAudioTracks());
      return stream;
    };
  });
}

/** From here on the page counts its calls. */
export async function watchDialer(page: Page): Promise<void> {
  const acts = Object.entries(ACTS).map(([name, perform]) => [name, String(perform)] as const);
  await page.evaluate(
    ([helper, sources]) => {
      const dialer = document.querySelector('partner-dialer') as PartnerDialer;
      const calls: Watch['calls'] = new Map();
      const count = (event: Event, what: 'begun' | 'ended') => {
        const { id } = (event as CustomEvent<{ call: CallInfo }>).detail.call;
        const counted = calls.get(id) ?? { begun: 0, ended: 0 };
        counted[what] += 1;
        calls.set(id, counted);
      };
      // A call of a removed element ends on its document, too.
      document.addEventListener('dialer-callstart', (event) => count(event, 'begun'));
      document.addEventListener('dialer-callincoming', (event) => count(event, 'begun'));
      document.addEventListener('dialer-callend', (event) => count(event, 'ended'));
      const rejections: string[] = [];
      addEventListener('unhandledrejection', ({ reason }) => rejections.push(String(reason)));
      const microphones = Reflect.get(globalThis, 'microphones') as MediaStreamTrack[];
      const compiled = Object.fromEntries(
        sources.map(([name, source]) => [
          name,
          // oxlint-disable-next-line no-implied-eval, no-new-func -- the acts of this file, in the page
          new Function(`${helper}; return ${source}`)() as (typeof ACTS)['call'],
        ]),
      );
      const wishes: Wish[] = [];
      // Before the dialer decides whether the press was meant for this button.
      const onClick = (event: Event) => {
        const button = event.composedPath().find((each) => each instanceof HTMLButtonElement);
        const { call, member } = dialer.state;
        const number = 'info' in call ? call.info.number : 'number' in call ? call.number : undefined;
        const wish = { 'call-button': 'answer', 'hangup-button': 'hang up' }[button?.part.value ?? ''];
        if (wish !== undefined)
          wishes.push({ act: wish, number, memberNo: member?.memberNo, at: Date.now() });
      };
      addEventListener('click', onClick, { capture: true });
      const watch: Watch = { dialer, acts: compiled, calls, microphones, rejections, wishes };
      window.randomSteps = watch;
    },
    [String(signIn), acts] as const,
  );
}

/** All in one task. What their promises settle to is not judged here, but each act has to be a possible one. */
export async function act(page: Page, names: readonly ActName[]): Promise<void> {
  await page.evaluate((wanted) => {
    const { dialer, acts, wishes, rejections } = window.randomSteps;
    const onError = (error: unknown) => {
      if (/cannot be dialled/.test(String(error))) rejections.push(String(error));
    };
    for (const name of wanted) {
      const { call, member } = dialer.state;
      const number = 'info' in call ? call.info.number : 'number' in call ? call.number : undefined;
      wishes.push({ act: name, number, memberNo: member?.memberNo, at: Date.now() });
      const done = acts[name]?.(dialer);
      if (done instanceof Promise) done.catch(onError);
    }
  }, names);
}

/** The buttons that the agent presses, with a real pointer. */
const PRESSED = ['call-button', 'hangup-button', 'control', 'key', 'guide-action'] as const;

/** Where buttons of the dialer are. */
export async function buttons(page: Page): Promise<{ readonly x: number; readonly y: number }[]> {
  return page.evaluate((parts) => {
    const root = window.randomSteps.dialer.shadowRoot;
    const all = parts.flatMap((part) => [...(root?.querySelectorAll(`button[part~="${part}"]`) ?? [])]);
    return all
      .map((button) => button.getBoundingClientRect())
      .filter(({ width }) => width > 0)
      .map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }));
  }, PRESSED);
}

/** The page's script keeps the browser from all else. Resolves as soon as it begins. */
export async function keepBusy(page: Page, ms: number): Promise<void> {
  await page.evaluate((wanted) => {
    setTimeout(() => {
      for (const end = performance.now() + wanted; performance.now() < end;);
    });
  }, ms);
}

/** Where the dialer says that a call can be placed, it is. Resolves with why it was not. */
export async function callIfPossible(page: Page): Promise<string | undefined> {
  return page.evaluate(async () => {
    const { dialer, wishes } = window.randomSteps;
    const { memberNo } = dialer.state.member ?? {};
    wishes.push({ act: 'call', number: undefined, memberNo, at: Date.now() });
    if (!dialer.state.canCall || !dialer.isConnected) return undefined;
    return dialer.call('0900000100').then(
      () => undefined,
      (error: unknown) => `${String(error)} ${dialer.state.status}`,
    );
  });
}

const SOON_MS = 4000;

/** Waits a little for a dialer that can place calls; in some situations, it cannot. */
export async function canCallSoon(page: Page): Promise<void> {
  await page
    .waitForFunction(() => window.randomSteps.dialer.state.canCall, undefined, {
      timeout: SOON_MS,
    })
    .catch(() => undefined);
}

export async function look(page: Page): Promise<Sight> {
  return page.evaluate(() => {
    const { dialer, calls, microphones, rejections, wishes } = window.randomSteps;
    const { connections } = Reflect.get(globalThis, 'spy') as { connections: RTCPeerConnection[] };
    const { status, call, member } = dialer.state;
    const tracks = connections
      .filter(({ signalingState }) => signalingState !== 'closed')
      .flatMap((connection) => connection.getSenders())
      .map(({ track }) => track)
      .filter((track) => track?.readyState === 'live');
    const isPresent = (id: string) => 'info' in call && call.is !== 'ended' && call.info.id === id;
    return {
      status,
      call: call.is,
      memberNo: member?.memberNo,
      isShownAsHeard: call.is === 'active' ? !call.muted && !call.held : undefined,
      sent: tracks.map((track) => track?.enabled === true),
      openMicrophones: microphones.filter(({ readyState }) => readyState === 'live').length,
      rejections,
      wrongEnds: [...calls]
        .filter(([id, { begun, ended }]) => begun !== 1 || ended !== (isPresent(id) ? 0 : 1))
        .map(([id, { begun, ended }]) => `${id}: ${begun} begun, ${ended} ended`),
      wishes,
    };
  });
}

/** Longer than the SDK needs to register over a new socket, and to end the call that was left. */
const TELLING_MS = 3000;

function numberThatAnswers(message: string): string | undefined {
  const isAnswer = /^SIP\/2\.0 200 [^]*CSeq: \d+ INVITE/.test(message);
  return isAnswer ? /^To: [^\r]*\*(\d+)@/m.exec(message)?.[1] : undefined;
}

export const REPLIES = ['refused', 'late', 'twice'] as const;
export type ReplyKind = (typeof REPLIES)[number];

const LATE_MS = 2500;

/** Names the request to which the message belongs; `undefined`: it is none within a call, nor the reply to one. */
function requestWithinCall(message: string): string | undefined {
  const isWithinCall = /^To:[^\r]*;tag=/m.test(message) || message.startsWith('CANCEL');
  const request = /^CSeq: \d+ (?:INVITE|BYE|CANCEL|INFO)/m.exec(message)?.[0];
  return isWithinCall ? request && `${/^Call-ID: [^\r]*/m.exec(message)?.[0]} ${request}` : undefined;
}

/** The way between page and exchange: it can be cut or stall, and what the other side replies can be late or changed. */
export class Way {
  #isAway = false;
  #isStalled = false;
  #isHolding = false;
  /** Each with its other end, at the exchange. */
  readonly #sockets = new Map<WebSocketRoute, WebSocketRoute>();
  readonly #held: (() => void)[] = [];
  /** What becomes of the reply to the page's next request within a call. */
  #nextReply: ReplyKind | undefined;
  /** By the name of its request. */
  readonly #replies = new Map<string, ReplyKind>();
  /** In both directions, in their order. */
  readonly #stalled: (() => void)[] = [];
  /** When the page had a socket, in epoch milliseconds. */
  readonly #open: { readonly from: number; to: number }[] = [];
  /** When a socket was closed. */
  readonly #breaks: number[] = [];
  /** When all sockets stalled. */
  readonly stalls: number[] = [];
  /** The numbers whose answers have reached the page: others got lost with the socket. */
  readonly answered = new Set<string>();

  async follow(context: BrowserContext): Promise<void> {
    await context.routeWebSocket(/\/ws$/, (socket) => {
      if (this.#isAway) return void socket.close();
      const exchange = socket.connectToServer();
      this.#sockets.set(socket, exchange);
      const open = { from: Date.now(), to: Infinity };
      this.#open.push(open);
      const close = () => {
        this.#sockets.delete(socket);
        this.#breaks.push(Date.now());
        open.to = Math.min(open.to, Date.now());
      };
      socket.onMessage((message) =>
        this.#pass(() => {
          this.#noteRequest(String(message));
          if (this.#sockets.has(socket)) exchange.send(message);
          if (String(message).startsWith('CANCEL')) this.release();
        }),
      );
      exchange.onMessage((message) => {
        const number = numberThatAnswers(String(message));
        const send = (text: string) =>
          this.#pass(() => {
            if (!this.#sockets.has(socket)) return;
            if (number !== undefined) this.answered.add(number);
            socket.send(text);
          });
        if (number !== undefined && this.#isHolding) this.#held.push(() => send(String(message)));
        else this.#reply(String(message), send);
      });
      socket.onClose(() =>
        this.#pass(() => {
          close();
          void exchange.close();
        }),
      );
      exchange.onClose(() =>
        this.#pass(() => {
          close();
          void socket.close();
        }),
      );
    });
  }

  /** Did everything get through between these times? */
  wasWhole(from: number, to: number): boolean {
    return ![...this.#breaks, ...this.stalls].some((at) => at >= from && at <= to);
  }

  /** Could the page register and end a call between these times? */
  couldTell(from: number, to: number): boolean {
    return this.#open.some((open) => Math.min(open.to, to) - Math.max(open.from, from) > TELLING_MS);
  }

  /** Answers of the other party are on their way until a CANCEL has left, or `release()`. */
  hold(): void {
    this.#isHolding = true;
  }

  release(): void {
    this.#isHolding = false;
    for (const send of this.#held.splice(0)) send();
  }

  /** Nothing gets through, and neither side knows: a socket stays open. */
  stall(): void {
    this.#isStalled = true;
    this.stalls.push(Date.now());
  }

  /** What was sent meanwhile arrives. */
  flow(): void {
    this.#isStalled = false;
    for (const send of this.#stalled.splice(0)) send();
  }

  twist(nextReply: ReplyKind): void {
    this.#nextReply = nextReply;
  }

  #noteRequest(message: string): void {
    const request = message.startsWith('SIP/2.0') ? undefined : requestWithinCall(message);
    if (request === undefined || !this.#nextReply) return;
    this.#replies.set(request, this.#nextReply);
    this.#nextReply = undefined;
  }

  #reply(message: string, send: (text: string) => void): void {
    const request = /^SIP\/2\.0 [2-6]/.test(message) ? requestWithinCall(message) : undefined;
    const kind = request === undefined ? undefined : this.#replies.get(request);
    if (request !== undefined) this.#replies.delete(request);
    if (kind === 'late') setTimeout(() => send(message), LATE_MS);
    else
      send(
        kind === 'refused'
          ? message.replace(/^SIP\/2\.0 [^\r]*/, 'SIP/2.0 488 Not Acceptable Here')
          : message,
      );
    if (kind === 'twice') send(message);
  }

  #pass(send: () => void): void {
    if (this.#isStalled) this.#stalled.push(send);
    else send();
  }

  /** What is on its way is lost. */
  async goAway(): Promise<void> {
    this.#isAway = true;
    this.#isStalled = false;
    this.#stalled.length = 0;
    // At once: a busy page closes its sockets late.
    for (const open of this.#open) open.to = Math.min(open.to, Date.now());
    const lost = [...this.#sockets].flat();
    this.#sockets.clear();
    await Promise.all(lost.map((socket) => socket.close()));
  }

  comeBack(): void {
    this.#isAway = false;
  }
}
