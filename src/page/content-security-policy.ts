/** What the page's content security policy forbids: the browser tells the document, and the failed request only that it failed. */
import { DialerError } from '../errors.ts';
import { pause } from '../wait.ts';

export interface PolicyWatch {
  /** The directive that has blocked one of the addresses watched, as far as the browser has told by now. */
  directive(): string | undefined;
  end(): void;
}

/** @param isOurs is given the address that was blocked, without its fragment */
export function watchPolicy(isOurs: (blocked: string) => boolean): PolicyWatch {
  const over = new AbortController();
  let found: string | undefined;
  const listen = (event: SecurityPolicyViolationEvent) => {
    // A policy that only reports has blocked nothing.
    if (event.disposition === 'enforce' && isOurs(event.blockedURI)) found ??= directiveOf(event);
  };
  document.addEventListener('securitypolicyviolation', listen, { signal: over.signal });
  return { directive: () => found, end: () => over.abort() };
}

/** As `watchPolicy`, for one request: some browsers tell only the origin or the scheme of what they blocked. */
export function watchRequest(address: string): PolicyWatch {
  const { href, origin, protocol } = new URL(address);
  const [withoutFragment] = href.split('#');
  const names = [withoutFragment, origin, protocol.slice(0, -1)];
  return watchPolicy((blocked) => names.includes(blocked));
}

/** The browser reports in a task of its own, which may come after the failure. */
export function violationsReported(): Promise<void> {
  return pause(0, new AbortController().signal);
}

export function blockedByPolicy(directive: string, what: string, cause?: unknown): DialerError {
  const message = `The page's content security policy (${directive}) blocks ${what}.`;
  return new DialerError('configuration', message, { cause, directive });
}

/** `script-src-elem` is only what browsers check; most policies say `script-src`. */
function directiveOf({ effectiveDirective, originalPolicy }: SecurityPolicyViolationEvent): string {
  return originalPolicy.includes(effectiveDirective)
    ? effectiveDirective
    : effectiveDirective.replace(/-(elem|attr)$/, '');
}
