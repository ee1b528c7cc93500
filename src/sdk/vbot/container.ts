/**
 * The one hidden place on the page where the vendor's element lives. It never moves, so that ours can: moving the
 * vendor's element ends its call. It sits in a closed shadow root: the token it carries is in no one else's reach.
 */
import { DialerError } from '../../errors.ts';

/** The vendor advises to wait this long between two registrations of one member. */
const REST_MS = 1000;

let occupied = false;
let rested = Promise.resolve();
let stage: { readonly host: HTMLElement; readonly root: ShadowRoot } | undefined;

/**
 * Reserves the place; the vendor's SDK supports one instance per page.
 *
 * @throws {DialerError} `active-elsewhere` while another dialer of this page holds it; an AbortError by the signal.
 */
export async function reserveContainer(signal: AbortSignal): Promise<void> {
  if (occupied) throw new DialerError('active-elsewhere', 'Another dialer on this page is in use already.');
  occupied = true;
  const free = () => {
    occupied = false;
  };
  signal.addEventListener('abort', free, { once: true });
  await rested;
  signal.throwIfAborted();
  // From here on `unmountWidget` is the one to give it back.
  signal.removeEventListener('abort', free);
}

/** Inserting starts the vendor's SDK. `visible` lets its own call screens show. */
export function mountWidget(element: HTMLElement, visible: boolean): void {
  if (!stage) {
    const host = document.createElement('div');
    stage = { host, root: host.attachShadow({ mode: 'closed' }) };
  }
  const { host, root } = stage;
  host.hidden = !visible;
  host.style.cssText = 'position:fixed;width:0;height:0';
  if (!host.isConnected) document.body.append(host);
  watchAudio();
  root.append(element);
}

/** The SDK plays the far voice through elements of its own in the page's body, and forgets some of them. */
const audios = new Set<HTMLAudioElement>();
let watcher: MutationObserver | undefined;

function watchAudio(): void {
  watcher ??= new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        // The page's own sounds have an address; a stream has none.
        if (node instanceof HTMLAudioElement && !node.hasAttribute('src')) audios.add(node);
      }
    }
  });
  watcher.observe(document.body, { childList: true });
}

function removeAudio(): void {
  watcher?.disconnect();
  for (const audio of audios) {
    audio.srcObject = null;
    audio.remove();
  }
  audios.clear();
}

/** Gives the place back at once, for a page that is going away: what the SDK sends in this task still leaves. */
export function unmountWidgetNow(element: HTMLElement | undefined): void {
  element?.remove();
  void unmountWidget(element, Promise.resolve());
}

/**
 * Gives the place back.
 *
 * @param settled Resolves when the SDK's boot has ended: an element removed earlier would register all the same, unseen.
 * @returns resolves when the member can be registered again
 */
export function unmountWidget(element: HTMLElement | undefined, settled: Promise<unknown>): Promise<void> {
  occupied = false;
  if (element) rested = removeWhen(element, settled);
  return rested;
}

async function removeWhen(element: HTMLElement, settled: Promise<unknown>): Promise<void> {
  await settled;
  element.remove();
  await new Promise((resolve) => {
    setTimeout(resolve, REST_MS);
  });
  removeAudio();
}
