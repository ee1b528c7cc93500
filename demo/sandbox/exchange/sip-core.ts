/** The SIP stack of the exchange: sip.js without a user agent on top. */
import { URI, UserAgentCore, type LoggerFactory, type Transport } from 'sip.js/lib/core/index.js';
import { REALM } from '../world/sip-account.ts';

export function createCore(transport: Transport, loggerFactory: LoggerFactory): UserAgentCore {
  const uri = new URI('sip', 'exchange', REALM, undefined, { transport: 'ws' });
  return new UserAgentCore({
    aor: uri,
    contact: { pubGruu: undefined, tempGruu: undefined, uri, toString: () => `<${uri.toString()}>` },
    displayName: '',
    loggerFactory,
    hackViaTcp: false,
    routeSet: [],
    sipjsId: 'sandbox',
    supportedOptionTags: [],
    supportedOptionTagsResponse: [],
    userAgentHeaderFieldValue: 'sandbox-exchange',
    viaForceRport: false,
    viaHost: REALM,
    authenticationFactory: () => undefined,
    transportAccessor: () => transport,
  });
}
