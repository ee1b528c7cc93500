/**
 * Why the SDK could not sign in or register. It has one text for a token that its API refuses, an API that it cannot reach
 * and a policy of the page that forbids the request; of a socket that the policy forbids it says nothing at all.
 */
import { DialerError } from '../../errors.ts';
import { blockedByPolicy, watchPolicy } from '../../page/content-security-policy.ts';

export interface BootWatch {
  /** @param text the SDK's, of its failure */
  errorOf(text: string): DialerError;
  /** Of an SDK that reports nothing. */
  timeoutError(): DialerError;
}

/** @param signal ends the watch */
export function watchBoot(apiBase: string, signal: AbortSignal): BootWatch {
  const { origin } = new URL(apiBase);
  // Only the API tells the SDK the address of its socket.
  const policy = watchPolicy((blocked) => blocked.startsWith(origin) || /^wss?\b/.test(blocked));
  const requests = watchRequestsTo(apiBase);
  signal.addEventListener('abort', () => {
    policy.end();
    requests.end();
  });
  const forbidden = () => {
    const directive = policy.directive();
    return directive === undefined ? undefined : blockedByPolicy(directive, 'the calling service');
  };
  return {
    errorOf: (text) => forbidden() ?? bootError(text, requests.hasLastFailed()),
    timeoutError: () =>
      forbidden() ?? new DialerError('registration-failed', 'The exchange has not answered.'),
  };
}

function bootError(text: string, isUnreachable: boolean): DialerError {
  // "Khởi tạo": initialise.
  if (!/kh[oở]i t[aạ]o/i.test(text.normalize()))
    return new DialerError('registration-failed', 'The exchange did not accept the registration.');
  return isUnreachable
    ? new DialerError('vendor-unreachable', 'The calling service cannot be reached.')
    : new DialerError('sdk-auth-failed', 'The calling service did not accept the sign-in.');
}

/** A request without a response has the status 0. Safari tells no status: there, an outage looks like a refused token. */
function watchRequestsTo(base: string) {
  let status: number | undefined;
  const note = (entries: PerformanceEntryList) => {
    const last = entries.findLast(({ name }) => name.startsWith(base));
    if (last instanceof PerformanceResourceTiming) status = last.responseStatus;
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'resource' });
  return {
    hasLastFailed: () => {
      note(observer.takeRecords());
      return status === 0;
    },
    end: () => observer.disconnect(),
  };
}
