/** A page that enforces Trusted Types has to list the policy `partner-dialer`; no other code can reach it. */
import { blockedByPolicy } from './content-security-policy.ts';

const POLICY_NAME = 'partner-dialer';

interface Policy {
  createScriptURL(url: string): object;
}
interface Factory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
}

let policy: Policy | undefined;

/**
 * The address for `src` of a script.
 *
 * @throws {DialerError} `configuration` if the page's policy forbids it
 */
export function trustedScript(url: string): string {
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
  if (!factory) return url;
  policy ??= createPolicy(factory);
  // The DOM typings know no TrustedScriptURL, the browser does.
  return policy.createScriptURL(url) as unknown as string;
}

function createPolicy(factory: Factory): Policy {
  try {
    return factory.createPolicy(POLICY_NAME, { createScriptURL: (address) => address });
  } catch (error) {
    throw blockedByPolicy('trusted-types', `the policy ${POLICY_NAME} for the vendor's script`, error);
  }
}
