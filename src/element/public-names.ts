/**
 * Tables of the element's properties, methods and events for the framework wrappers. A missing row does not compile. Nothing
 * here needs a browser.
 */
import type { LitElement } from 'lit';
import type { DialerEventMap } from './events.ts';
import type { PartnerDialer } from './partner-dialer.ts';

export const TAG = 'partner-dialer';

/** Every element has `lang`; ours renders by it, so it is in the table. */
type OwnName = Exclude<keyof PartnerDialer, keyof LitElement> | 'lang';
type ReadOnlyName = 'state' | 'hotlines' | 'member' | 'supportDetails';
/** Properties without an attribute. */
type PropertyName = 'brokerHeaders' | 'lookup' | 'session' | 'words';
/** What the dialer can be asked to do. */
type MethodName = {
  [K in OwnName]: PartnerDialer[K] extends (...args: never[]) => Promise<void> ? K : never;
}[OwnName];
type AttributeName = Exclude<OwnName, MethodName | ReadOnlyName | PropertyName>;

/** The properties that have an attribute, with its name. */
export const ATTRIBUTES = {
  brokerUrl: 'broker-url',
  brokerCredentials: 'broker-credentials',
  sdkUrl: 'sdk-url',
  sdkIntegrity: 'sdk-integrity',
  sdkBaseUrl: 'sdk-base-url',
  disconnectSoundUrl: 'disconnect-sound-url',
  ringtoneUrl: 'ringtone-url',
  holdMusicUrl: 'hold-music-url',
  hotline: 'hotline',
  externalCallId: 'external-call-id',
  connectMode: 'connect-mode',
  lowBalance: 'low-balance',
  numberPlan: 'number-plan',
  recentCalls: 'recent-calls',
  floating: 'floating',
  open: 'open',
  hotkeys: 'hotkeys',
  clickToCall: 'click-to-call',
  vendorUi: 'vendor-ui',
  lang: 'lang',
  theme: 'theme',
} as const satisfies Record<AttributeName, string>;

export const METHODS = {
  connect: true,
  disconnect: true,
  call: true,
  prefill: true,
  answer: true,
  reject: true,
  hangUp: true,
  setMuted: true,
  setHeld: true,
  sendDtmf: true,
  recheck: true,
  useHere: true,
} as const satisfies Record<MethodName, true>;

/** The events, each as it is written in the name of a property: `onDialerCallEnd`. */
export const EVENTS = {
  'dialer-statechange': 'DialerStateChange',
  'dialer-ready': 'DialerReady',
  'dialer-beforecall': 'DialerBeforeCall',
  'dialer-callstart': 'DialerCallStart',
  'dialer-callincoming': 'DialerCallIncoming',
  'dialer-callconnect': 'DialerCallConnect',
  'dialer-callend': 'DialerCallEnd',
  'dialer-callcost': 'DialerCallCost',
  'dialer-callfail': 'DialerCallFail',
  'dialer-customer': 'DialerCustomer',
  'dialer-quality': 'DialerQuality',
  'dialer-blocked': 'DialerBlocked',
  'dialer-topuprequest': 'DialerTopUpRequest',
  'dialer-hotlinerequest': 'DialerHotlineRequest',
  'dialer-toggle': 'DialerToggle',
  'dialer-error': 'DialerError',
} as const satisfies Record<keyof DialerEventMap, `Dialer${string}`>;

export type DialerEventName = keyof DialerEventMap;

/**
 * Attributes that the server adds. Without them the tag would connect as soon as the script runs, before the framework has
 * added the listeners and the headers.
 */
export const UNTIL_HYDRATED = { 'connect-mode': 'manual' } as const;

/** The properties that can be set; all are optional. */
export type DialerProperties = {
  [K in keyof typeof ATTRIBUTES | PropertyName]?: PartnerDialer[K] | undefined;
};

/** The same by attribute name, as in HTML. */
export type DialerTagAttributes = {
  [K in keyof typeof ATTRIBUTES as (typeof ATTRIBUTES)[K]]?: PartnerDialer[K] | undefined;
};

/** `ondialer-callend`, and so on, as React 19 takes them on a bare tag. */
export type DialerTagListeners = {
  [K in DialerEventName as `on${K}`]?: ((event: DialerEventMap[K]) => void) | undefined;
};

/** `@dialer-callend`, and so on, in a Vue template; `onDialerCallend` in a render function. */
export type DialerTemplateListeners = {
  [K in DialerEventName as TemplateListener<K>]?: ((event: DialerEventMap[K]) => void) | undefined;
};
type TemplateListener<Name extends string> = Name extends `dialer-${infer Word}`
  ? `onDialer${Capitalize<Word>}`
  : never;

export type DialerMethods = Pick<PartnerDialer, keyof typeof METHODS>;
export type DialerFacts = Pick<PartnerDialer, ReadOnlyName>;

/** The attributes for these properties. A property that is not given, or false, has none, so that the default applies. */
export function attributesFor(properties: DialerProperties): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [property, attribute] of Object.entries(ATTRIBUTES)) {
    const value: unknown = properties[property as keyof typeof ATTRIBUTES];
    if (value === undefined || value === null || value === false) continue;
    attributes[attribute] = value === true ? '' : String(value);
  }
  return attributes;
}
