/** A desktop notification of an incoming call, for an agent who works in another window. */

interface NotifiedCall {
  readonly title: string;
  readonly body: string;
}

/** `unavailable`: the browser has no notifications, or the page is not secure. */
export function notificationPermission(): NotificationPermission | 'unavailable' {
  return isSecureContext && 'Notification' in globalThis ? Notification.permission : 'unavailable';
}

/** Lets the browser ask the agent. Browsers allow that only while they handle a press. */
export async function askForNotifications(): Promise<void> {
  try {
    if (notificationPermission() === 'default') await Notification.requestPermission();
  } catch {
    // The agent has decided nothing.
  }
}

/**
 * Shows the notification until the signal aborts, if the agent has allowed notifications.
 *
 * @param pressed called after a click on it, once the window is in front
 */
export function notifyOfCall({ title, body }: NotifiedCall, signal: AbortSignal, pressed: () => void): void {
  if (signal.aborted || notificationPermission() !== 'granted') return;
  try {
    const notification = new Notification(title, { body, tag: 'partner-dialer', requireInteraction: true });
    const close = () => notification.close();
    signal.addEventListener('abort', close);
    notification.addEventListener('click', () => {
      globalThis.focus();
      close();
      pressed();
    });
  } catch {
    // On phones, only a service worker can show one.
  }
}
