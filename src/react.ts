'use client';
/**
 * `PartnerDialer` for React 18 and 19, on `@lit/react`: one property per attribute, one per event, and a ref to the
 * element with all its methods.
 */
import * as React from 'react';
import { createComponent } from '@lit/react';
import './index.ts';
import type { DialerEventMap, PartnerDialer as PartnerDialerElement } from './element.ts';
import {
  attributesFor,
  ATTRIBUTES,
  EVENTS,
  TAG,
  UNTIL_HYDRATED,
  type DialerProperties,
} from './element/public-names.ts';

export type { PartnerDialerElement };

/** `onDialerCallEnd` for `dialer-callend`, and so on. */
export type DialerEventProps = {
  [K in keyof typeof EVENTS as `on${(typeof EVENTS)[K]}`]?: ((event: DialerEventMap[K]) => void) | undefined;
};

/** Besides these, what every HTML element takes. */
export interface PartnerDialerProps
  extends
    DialerProperties,
    DialerEventProps,
    Omit<React.HTMLAttributes<PartnerDialerElement>, keyof DialerProperties | 'children'> {}

/** The wrapper sets these as properties. React writes all attributes, also on a server. */
class SetAsProperty {
  get brokerHeaders(): undefined {
    return undefined;
  }
  get lookup(): undefined {
    return undefined;
  }
  get session(): undefined {
    return undefined;
  }
  get words(): undefined {
    return undefined;
  }
}

const Wrapper: React.ElementType = createComponent({
  // On a server, React 18 warns of layout effects.
  react: typeof document === 'undefined' ? { ...React, useLayoutEffect: React.useEffect } : React,
  tagName: TAG,
  elementClass: SetAsProperty as unknown as new () => HTMLElement,
  events: Object.fromEntries(Object.entries(EVENTS).map(([name, words]) => [`on${words}`, name])),
  displayName: 'PartnerDialerTag',
});

/** `<partner-dialer>` as a React component. Its ref is the element. */
export const PartnerDialer: React.ForwardRefExoticComponent<
  PartnerDialerProps & React.RefAttributes<PartnerDialerElement>
> = React.forwardRef<PartnerDialerElement, PartnerDialerProps>((props, ref) => {
  const isHydrated = React.useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  const others = Object.entries(props).filter(([name]) => !(name in ATTRIBUTES));
  return React.createElement(Wrapper, {
    ...Object.fromEntries(others),
    ...attributesFor(props),
    ...(!isHydrated && UNTIL_HYDRATED),
    ref,
  });
});
PartnerDialer.displayName = 'PartnerDialer';

function neverChanges(): () => void {
  return () => undefined;
}
