/** `PartnerDialer` for Vue 3: typed properties and events, and all methods on its ref; no `isCustomElement` needed. */
import {
  camelize,
  defineComponent,
  getCurrentInstance,
  h,
  shallowRef,
  toHandlerKey,
  type AllowedComponentProps,
  type ComponentCustomProps,
  type HTMLAttributes,
  type PropType,
  type VNodeProps,
} from 'vue';
import { DialerError } from './errors.ts';
import './index.ts';
import type { PartnerDialer as PartnerDialerElement } from './element.ts';
import {
  attributesFor,
  EVENTS,
  METHODS,
  TAG,
  UNTIL_HYDRATED,
  type DialerEventName,
  type DialerFacts,
  type DialerMethods,
  type DialerProperties,
  type DialerTemplateListeners,
} from './element/public-names.ts';

export type { PartnerDialerElement };

/** What a template may set. */
export type PartnerDialerProps = DialerProperties &
  DialerTemplateListeners & {
    /** For `v-model:open`. */
    'onUpdate:open'?: ((open: boolean) => void) | undefined;
  };

/** Whatever else is set falls through to the tag. */
type TemplateProps = PartnerDialerProps &
  Omit<HTMLAttributes, 'lang'> &
  VNodeProps &
  AllowedComponentProps &
  ComponentCustomProps;

/** What a ref to the component holds; a method rejects with `not-ready` while the component is not in the page. */
export interface PartnerDialerInstance extends DialerMethods, Partial<DialerFacts> {
  readonly $props: TemplateProps;
  readonly $el: PartnerDialerElement;
}

const PROPS = {
  brokerUrl: String,
  brokerCredentials: String as PropType<DialerProperties['brokerCredentials']>,
  brokerHeaders: [Object, Function] as PropType<DialerProperties['brokerHeaders']>,
  lookup: Function as PropType<DialerProperties['lookup']>,
  session: [Object, Promise, Response] as PropType<DialerProperties['session']>,
  words: Object as PropType<DialerProperties['words']>,
  sdkUrl: String,
  sdkIntegrity: String,
  sdkBaseUrl: String,
  disconnectSoundUrl: String,
  ringtoneUrl: String,
  holdMusicUrl: String,
  hotline: String,
  externalCallId: String,
  connectMode: String as PropType<DialerProperties['connectMode']>,
  lowBalance: Number,
  numberPlan: String as PropType<DialerProperties['numberPlan']>,
  recentCalls: String as PropType<DialerProperties['recentCalls']>,
  floating: [Boolean, String] as PropType<DialerProperties['floating']>,
  open: Boolean,
  hotkeys: Boolean,
  clickToCall: Boolean,
  vendorUi: Boolean,
  lang: String as PropType<DialerProperties['lang']>,
  theme: String as PropType<DialerProperties['theme']>,
} as const satisfies Record<keyof DialerProperties, unknown>;

const EVENT_NAMES = Object.keys(EVENTS) as DialerEventName[];
const isServer = typeof document === 'undefined';

const component = defineComponent({
  name: 'PartnerDialer',
  props: PROPS,
  emits: [...EVENT_NAMES, 'update:open'],
  setup(props, { emit, expose }) {
    const element = shallowRef<PartnerDialerElement>();
    expose(exposed(() => element.value));
    const instance = getCurrentInstance();
    const listeners = Object.fromEntries(
      EVENT_NAMES.map((name) => {
        const key = toHandlerKey(camelize(name));
        const listener = (event: Event) => {
          if (name === 'dialer-toggle') emit('update:open', element.value?.open);
          if (!instance?.isUnmounted) return emit(name, event);
          // The call ends after the unmount, when Vue's `emit` does nothing: call the handlers here.
          const handlers: unknown = instance.vnode.props?.[key];
          for (const handle of [handlers].flat()) if (typeof handle === 'function') handle(event);
        };
        return [key, listener];
      }),
    );
    return () =>
      h(TAG, {
        ...written(props),
        '.brokerHeaders': props.brokerHeaders,
        '.lookup': props.lookup,
        // A script of the page may have given it before Vue hydrates the tag.
        ...(props.session && { '.session': props.session }),
        '.words': props.words,
        ...listeners,
        ref: element,
      });
  },
});

/** `<partner-dialer>` as a Vue component. */
export const PartnerDialer = component as unknown as new () => PartnerDialerInstance;

/** Attributes, even if the element has a property of that name. */
function written(properties: DialerProperties): Record<string, string> {
  const attributes = attributesFor(properties);
  if (isServer) return { ...attributes, ...UNTIL_HYDRATED };
  // The server wrote `connect-mode="manual"`, which stays until another value replaces it.
  attributes['connect-mode'] ??= 'auto';
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`^${name}`, value]));
}

function exposed(element: () => PartnerDialerElement | undefined): object {
  const methods = Object.keys(METHODS).map((name) => [
    name,
    async (...values: unknown[]) => {
      const present = element();
      if (!present) throw new DialerError('not-ready', 'The component is not mounted.');
      const method = present[name as keyof DialerMethods] as (...given: unknown[]) => Promise<void>;
      await method.apply(present, values);
    },
  ]);
  return {
    ...Object.fromEntries(methods),
    get state() {
      return element()?.state;
    },
    get hotlines() {
      return element()?.hotlines;
    },
    get member() {
      return element()?.member;
    },
    supportDetails: () => element()?.supportDetails() ?? '',
  };
}
