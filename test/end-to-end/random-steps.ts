/** What random-steps.test.ts does and looks at inside the page, and on the way to the exchange. */
import type { BrowserContext, Page, WebSocketRoute } from '@playwright/test';
import type { CallInfo, DialerState, PartnerDialer } from '../../src/index.ts';

/** What the page's script or the agent does in one moment. */
export const ACTS = {
  /** Each time another number: its answer can be told from those of other calls. */
  call: (dialer) => dialer.call(`09${Date.now()}`),
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
  /** The numbers of the callers who were in sight when somebody wanted to answer. */
  readonly answered: Set<string>;
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
  /** Should the other party hear the agent? `undefined`: there is no answered call. */
  readonly isShownAsHeard: boolean | undefined;
  /** Are the tracks switched on that are sent now? */
  readonly sent: readonly boolean[];
  readonly openMicrophones: number;
  readonly rejections: readonly string[];
  /** Of the calls that have begun, those that have not ended exactly once, apart from the present one. */
  readonly wrongEnds: readonly string[];
  /** Of the callers whom somebody wanted to answer. */
  readonly answered: readonly string[];
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
  await page.evaluate((sources) => {
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
      // oxlint-disable-next-line no-implied-eval, no-new-func -- the acts of this file, in the page
      sources.map(([name, source]) => [name, new Function(`return ${source}`)() as (typeof ACTS)['call']]),
    );
    const watch: Watch = { dialer, acts: compiled, calls, microphones, rejections, answered: new Set() };
    window.randomSteps = watch;
  }, acts);
}

/** All in one task. What their promises settle to is not judged here. */
export async function act(page: Page, names: readonly ActName[]): Promise<void> {
  await page.evaluate((wanted) => {
    const { dialer, acts, answered } = window.randomSteps;
    for (const name of wanted) {
      const { call } = dialer.state;
      if (name === 'answer' && call.is === 'incoming') answered.add(call.info.number);
      const done = acts[name]?.(dialer);
      if (done instanceof Promise) done.catch(() => undefined);
    }
  }, names);
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
    const { dialer } = window.randomSteps;
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
    const { dialer, calls, microphones, rejections, answered } = window.randomSteps;
    const { connections } = Reflect.get(globalThis, 'spy') as { connections: RTCPeerConnection[] };
    const { status, call } = dialer.state;
    const tracks = connections
      .filter(({ signalingState }) => signalingState !== 'closed')
      .flatMap((connection) => connection.getSenders())
      .map(({ track }) => track)
      .filter((track) => track?.readyState === 'live');
    const isPresent = (id: string) => 'info' in call && call.is !== 'ended' && call.info.id === id;
    return {
      status,
      call: call.is,
      isShownAsHeard: call.is === 'active' ? !call.muted && !call.held : undefined,
      sent: tracks.map((track) => track?.enabled === true),
      openMicrophones: microphones.filter(({ readyState }) => readyState === 'live').length,
      rejections,
      wrongEnds: [...calls]
        .filter(([id, { begun, ended }]) => begun !== 1 || ended !== (isPresent(id) ? 0 : 1))
        .map(([id, { begun, ended }]) => `${id}: ${begun} begun, ${ended} ended`),
      answered: [...answered],
    };
  });
}

/** Longer than the SDK needs to register over a new socket, and to end the call that was left. */
const TELLING_MS = 3000;

function numberThatAnswers(message: string): string | undefined {
  const isAnswer = /^SIP\/2\.0 200 [^]*CSeq: \d+ INVITE/.test(message);
  return isAnswer ? /^To: [^\r]*\*(\d+)@/m.exec(message)?.[1] : undefined;
}

/** The way between page and exchange: it can be cut, and an answer of the other party can be late. */
export class Way {
  #isAway = false;
  #isHolding = false;
  readonly #sockets = new Set<WebSocketRoute>();
  readonly #held: (() => void)[] = [];
  /** When the page had a socket, in epoch milliseconds. */
  readonly #open: { readonly from: number; to: number }[] = [];
  /** The numbers whose answers have reached the page: others got lost with the socket. */
  readonly answered = new Set<string>();

  async follow(context: BrowserContext): Promise<void> {
    await context.routeWebSocket(/\/ws$/, (socket) => {
      if (this.#isAway) return void socket.close();
      const exchange = socket.connectToServer();
      this.#sockets.add(socket);
      const open = { from: Date.now(), to: Infinity };
      this.#open.push(open);
      const close = () => {
        this.#sockets.delete(socket);
        open.to = Math.min(open.to, Date.now());
      };
      socket.onMessage((message) => {
        if (this.#sockets.has(socket)) exchange.send(message);
        if (String(message).startsWith('CANCEL')) this.release();
      });
      exchange.onMessage((message) => {
        const number = numberThatAnswers(String(message));
        const send = () => {
          if (number !== undefined && this.#sockets.has(socket)) this.answered.add(number);
          socket.send(message);
        };
        if (number !== undefined && this.#isHolding) this.#held.push(send);
        else send();
      });
      socket.onClose(() => {
        close();
        void exchange.close();
      });
      exchange.onClose(() => {
        close();
        void socket.close();
      });
    });
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

  async goAway(): Promise<void> {
    this.#isAway = true;
    // At once: a busy page closes its sockets late.
    for (const open of this.#open) open.to = Math.min(open.to, Date.now());
    const lost = [...this.#sockets];
    this.#sockets.clear();
    await Promise.all(lost.map((socket) => socket.close()));
  }

  comeBack(): void {
    this.#isAway = false;
  }
}
