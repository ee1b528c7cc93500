/** Which directive of the page's content security policy blocks a request. The failed request itself does not say it. */
import { DialerError } from '../errors.ts';
import { pause } from '../wait.ts';

interface PolicyWatch {
  /** The directive that has blocked a watched address, if the browser has reported one by now. */
  directive(): string | undefined;
  end(): void;
}

/** @param isOurs is given the address that was blocked, without its fragment */
export function watchPolicy(isOurs: (blocked: string) => boolean): PolicyWatch {
  const over = new AbortController();
  let found: string | undefined;
  const listen = (event: SecurityPolicyViolationEvent) => {
    // A report-only policy blocks nothing.
    if (event.disposition === 'enforce' && isOurs(event.blockedURI)) found ??= directiveOf(event);
  };
  document.addEventListener('securitypolicyviolation', listen, { signal: over.signal });
  return { directive: () => found, end: () => over.abort() };
}

/** As `watchPolicy`, for one request. Some browsers report only the origin or the scheme of the blocked address. */
export function watchRequest(address: string): PolicyWatch {
  const { href, origin, protocol } = new URL(address);
  const [withoutFragment] = href.split('#');
  const spellings = [withoutFragment, origin, protocol.slice(0, -1)];
  return watchPolicy((blocked) => spellings.includes(blocked));
}

/** The browser reports a violation in a later task, perhaps after the request has failed. */
export function violationsReported(): Promise<void> {
  return pause(0, new AbortController().signal);
}

export function blockedByPolicy(directive: string, what: string, cause?: unknown): DialerError {
  const message = `The page's content security policy (${directive}) blocks ${what}.`;
  return new DialerError('configuration', message, { cause, directive });
}

/** Browsers report `script-src-elem`, even if the policy says `script-src`. */
function directiveOf({ effectiveDirective, originalPolicy }: SecurityPolicyViolationEvent): string {
  return originalPolicy.includes(effectiveDirective)
    ? effectiveDirective
    : effectiveDirective.replace(/-(elem|attr)$/, '');
}
