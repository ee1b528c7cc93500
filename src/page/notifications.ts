/** A call that rings, told by the desktop: for an agent who has another window in front. */

export interface NotifiedCall {
  readonly title: string;
  readonly body: string;
}

/** `unavailable`: the browser has none, or gives them to secure pages only. */
export function notificationPermission(): NotificationPermission | 'unavailable' {
  return isSecureContext && 'Notification' in globalThis ? Notification.permission : 'unavailable';
}

/**
 * The browser asks the agent; only ever to be called by a press.
 *
 * @returns what the agent has decided
 */
export async function askForNotifications(): Promise<NotificationPermission | 'unavailable'> {
  if (notificationPermission() !== 'default') return notificationPermission();
  try {
    return await Notification.requestPermission();
  } catch {
    return notificationPermission();
  }
}

/**
 * Shows it until the signal, where the agent has allowed that.
 *
 * @param pressed the agent wants to see who it is; the window is in front already
 */
export function notifyOfCall({ title, body }: NotifiedCall, signal: AbortSignal, pressed: () => void): void {
  if (signal.aborted || notificationPermission() !== 'granted') return;
  try {
    const notification = new Notification(title, { body, tag: 'partner-dialer', requireInteraction: true });
    const close = () => notification.close();
    signal.addEventListener('abort', close, { once: true });
    notification.addEventListener('click', () => {
      globalThis.focus();
      close();
      pressed();
    });
  } catch {
    // On phones only a service worker may.
  }
}
