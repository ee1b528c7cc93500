/**
 * The one hidden place on the page for the vendor's element. The place never moves, because moving the vendor's element
 * ends its call; ours may be moved. It is in a closed shadow root: nobody else reaches the token that the element carries.
 */
import { DialerError } from '../../errors.ts';
import { aborted } from '../../wait.ts';

/** The vendor advises to wait this long between two registrations of one member. */
const REST_MS = 1000;

/** The vendor's SDK supports one element per page. */
let occupant: HTMLElement | undefined;
let vacated = Promise.resolve();
let stage: { readonly host: HTMLElement; readonly root: ShadowRoot } | undefined;

export interface MountOptions {
  /** Do the SDK's own call screens show? */
  readonly isVisible: boolean;
  /** Aborted when the SDK's boot has ended: an element removed earlier would register all the same, unseen. */
  readonly booted: AbortSignal;
}

/**
 * Inserts the vendor's element, which starts the SDK, and removes it when the signal aborts.
 *
 * @throws {DialerError} `active-elsewhere` while another dialer of this page has the place; the signal's reason
 */
export async function mountWidget(
  element: HTMLElement,
  { isVisible, booted }: MountOptions,
  signal: AbortSignal,
): Promise<void> {
  if (occupant) throw new DialerError('active-elsewhere', 'Another dialer on this page is in use already.');
  occupant = element;
  const vacate = () => {
    occupant = undefined;
    if (element.parentNode) vacated = removeAfter(element, booted);
  };
  signal.addEventListener('abort', vacate, { once: true });
  await vacated;
  signal.throwIfAborted();
  const { host, root } = (stage ??= createStage());
  host.hidden = !isVisible;
  if (!host.isConnected) document.body.append(host);
  root.append(element);
}

/** Resolves when the element of the last dialer is gone, and the member can be registered again. */
export function whenVacated(): Promise<void> {
  return vacated;
}

function createStage() {
  const host = document.createElement('div');
  host.style.cssText = 'position:fixed;width:0;height:0';
  return { host, root: host.attachShadow({ mode: 'closed' }) };
}

async function removeAfter(element: HTMLElement, booted: AbortSignal): Promise<void> {
  await aborted(booted);
  element.remove();
  await new Promise((resolve) => {
    setTimeout(resolve, REST_MS);
  });
}
