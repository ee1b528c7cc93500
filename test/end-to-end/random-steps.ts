/** What random-steps.test.ts does and looks at inside the page. */
import type { BrowserContext, Page } from '@playwright/test';
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
  "show or hide the SDK's own screens": (dialer) => dialer.toggleAttribute('vendor-ui'),
  'float or not': (dialer) => dialer.toggleAttribute('floating'),
  'open or close the card': (dialer) => {
    dialer.open = !dialer.open;
  },
  'show a number': (dialer) => dialer.prefill(`09${String(Date.now()).slice(-8)}`),
  'move the dialer': (dialer) => {
    if (dialer.isConnected) dialer.parentElement?.append(dialer);
  },
  /** What the calls send ends. */
  'unplug the microphone': () => {
    const { connections } = Reflect.get(globalThis, 'spy') as { connections: RTCPeerConnection[] };
    for (const { track } of connections.flatMap((connection) => connection.getSenders())) {
      if (track?.readyState !== 'live') continue;
      track.stop();
      track.dispatchEvent(new Event('ended'));
    }
  },
} as const satisfies Readonly<Record<string, (dialer: PartnerDialer) => unknown>>;

export type ActName = keyof typeof ACTS;

interface Watch {
  readonly dialer: PartnerDialer;
  readonly acts: Readonly<Record<string, (dialer: PartnerDialer) => unknown>>;
  /** How often each call of the page has begun and ended. */
  readonly calls: Map<string, { begun: number; ended: number }>;
  readonly microphones: MediaStreamTrack[];
  readonly rejections: string[];
  readonly wishes: Wish[];
  readonly told: Told[];
  /** Notes it; absent: the number of the call in sight. */
  readonly wish: (act: string, number?: string) => void;
}

/** What somebody wanted. */
export interface Wish {
  /** `dial`: a call was asked for, in whatever way. */
  readonly act: string;
  /** Whom to call; of all other acts, with whom the call was that was in sight. */
  readonly number: string | undefined;
  /** Who was signed in, as far as the dialer knew. */
  readonly memberNo: string | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
  /** In which it was made. */
  readonly tab: number;
}

/** Of a call, a tab's page was told. */
export interface Told {
  readonly number: string;
  readonly tab: number;
}

export type Notes = Pick<Watch, 'wishes' | 'told'>;

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
}

/** What becomes of requests for the microphone. */
interface Prompt {
  /** Milliseconds. */
  takes: number;
  refusal?: 'NotAllowedError' | 'NotFoundError';
}

/** From here on the browser answers so. */
export async function answerPrompts(page: Page, prompt: Prompt): Promise<void> {
  await page.evaluate((next) => Object.assign(Reflect.get(globalThis, 'prompt') as object, next), {
    refusal: undefined,
    ...prompt,
  });
}

/** Before any script of a page: what it opens is remembered. */
export async function watchMicrophones(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const microphones: MediaStreamTrack[] = [];
    const prompt: Prompt = { takes: 0 };
    Reflect.set(globalThis, 'microphones', microphones);
    Reflect.set(globalThis, 'prompt', prompt);
    const { mediaDevices } = navigator;
    // The empty page of a new tab has none.
    if (!(mediaDevices as MediaDevices | undefined)) return;
    const open = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async (constraints) => {
      const { takes, refusal } = prompt;
      if (takes > 0) await new Promise((resolve) => setTimeout(resolve, takes));
      if (refusal !== undefined) throw new DOMException('no', refusal);
      const stream = await open(constraints);
      microphones.push(...stream.getAudioTracks());
      return stream;
    };
  });
}

/** From here on the page counts its calls, and notes what is wanted. */
export async function watchDialer(page: Page, tab: number): Promise<void> {
  await page.waitForFunction(() => document.querySelector('partner-dialer')?.state);
  const acts = Object.entries(ACTS).map(([name, perform]) => [name, String(perform)] as const);
  await page.evaluate(
    ([helper, sources, ownTab]) => {
      const dialer = document.querySelector('partner-dialer') as PartnerDialer;
      const calls: Watch['calls'] = new Map();
      const told: Told[] = [];
      const count = (event: Event, what: 'begun' | 'ended') => {
        const { id, number } = (event as CustomEvent<{ call: CallInfo }>).detail.call;
        told.push({ number, tab: ownTab });
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
      const wish = (name: string, asked?: string) => {
        const { call, member } = dialer.state;
        const inSight = 'info' in call ? call.info.number : 'number' in call ? call.number : undefined;
        wishes.push({
          act: name,
          number: asked ?? inSight,
          memberNo: member?.memberNo,
          at: Date.now(),
          tab: ownTab,
        });
      };
      const dial = dialer.call.bind(dialer);
      dialer.call = (number, options) => {
        wish('dial', number);
        return dial(number, options);
      };
      // Before the dialer decides whether the press was meant for this button.
      const onClick = (event: Event) => {
        const button = event.composedPath().find((each) => each instanceof HTMLButtonElement);
        if (button?.part.contains('call-button')) {
          const display = dialer.shadowRoot?.querySelector('input');
          if (display) wish('dial', display.value.replaceAll(/\D/g, ''));
          else wish('answer');
        }
        if (button?.part.contains('hangup-button')) wish('hang up');
        // "Call again" of one call.
        const again = /^\d+ (\S+)$/.exec(button?.dataset['about'] ?? '')?.[1];
        if (again !== undefined) wish('dial', again.replaceAll(/\D/g, ''));
      };
      addEventListener('click', onClick, { capture: true });
      window.randomSteps = { dialer, acts: compiled, calls, microphones, rejections, wishes, told, wish };
    },
    [String(signIn), acts, tab] as const,
  );
}

/** All in one task. What their promises settle to is not judged here, but each act has to be a possible one. */
export async function act(page: Page, names: readonly ActName[]): Promise<void> {
  await page.evaluate((wanted) => {
    const { dialer, acts, wish, rejections } = window.randomSteps;
    const onError = (error: unknown) => {
      if (/cannot be dialled/.test(String(error))) rejections.push(String(error));
    };
    for (const name of wanted) {
      wish(name);
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

/** Every button of the dialer that can be seen. */
export async function allButtons(page: Page): Promise<{ readonly x: number; readonly y: number }[]> {
  return page.evaluate(() =>
    [...(window.randomSteps.dialer.shadowRoot?.querySelectorAll('button') ?? [])]
      .map((button) => button.getBoundingClientRect())
      .filter(({ width }) => width > 0)
      .map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 })),
  );
}

/** From here on the page's scripts take so many times as long. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate });
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

export function readNotes(page: Page): Promise<Notes> {
  return page.evaluate(() => {
    const { wishes, told } = window.randomSteps;
    return { wishes, told };
  });
}

export async function look(page: Page): Promise<Sight> {
  return page.evaluate(() => {
    const { dialer, calls, microphones, rejections } = window.randomSteps;
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
    };
  });
}
