/** What the page is told, as the DOM event it gets. */
import type { DialerNotification } from '../dialer/notifications.ts';
import type { DialerState } from '../dialer/state/state.ts';
import {
  DialerBeforeCallEvent,
  DialerBlockedEvent,
  DialerCallEvent,
  DialerCallFailEvent,
  DialerCustomerEvent,
  DialerErrorEvent,
  DialerHelpRequestEvent,
  DialerReadyEvent,
} from './events.ts';

export function toDomEvent(notification: DialerNotification, state: DialerState): CustomEvent {
  const name = `dialer-${notification.name}`;
  switch (notification.name) {
    case 'ready':
      return new DialerReadyEvent(name, { hotlines: state.hotlines });
    case 'beforecall': {
      const { hotline, externalCallId } = notification.options;
      return new DialerBeforeCallEvent(name, { number: notification.number, hotline, externalCallId }, true);
    }
    case 'callfail': {
      const { call, code, reason, confidence } = notification;
      return new DialerCallFailEvent(name, { call, code, reason, confidence });
    }
    case 'customer':
      return new DialerCustomerEvent(name, { call: notification.call, customers: notification.customers });
    case 'blocked':
      return new DialerBlockedEvent(name, { reason: notification.reason, source: notification.source }, true);
    case 'topuprequest':
    case 'hotlinerequest':
      return new DialerHelpRequestEvent(name, { memberNo: state.member?.memberNo }, true);
    case 'error':
      return new DialerErrorEvent(name, { error: notification.error });
    default:
      return new DialerCallEvent(name, { call: notification.call });
  }
}
