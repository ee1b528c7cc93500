/** What the compiler lets through, and what it does not. */
import { createRef } from 'react';
import 'partner-dialer';
import type { DialerState } from 'partner-dialer';
import { PartnerDialer as DialerClass } from 'partner-dialer/element';
import { PartnerDialer, type PartnerDialerElement } from 'partner-dialer/react';

const ref = createRef<PartnerDialerElement>();
export const right = (
  <>
    <PartnerDialer
      ref={ref}
      brokerUrl="/dialer/session"
      floating
      lowBalance={0}
      theme={undefined}
      id="phone"
      style={{ width: 300 }}
    />
    <PartnerDialer
      onDialerTopUpRequest={(event) => event.detail.memberNo?.trim()}
      onDialerStateChange={({ detail }) => detail.state.status}
    />
    <PartnerDialer
      onDialerError={({ detail }) => detail.error.code satisfies string}
      floating="top-left"
      open
      onDialerToggle={({ detail }) => detail.open satisfies boolean}
      hotkeys
      vendorUi={false}
      lang="th"
      words={{ call: 'โทร', status: { ready: 'พร้อม' }, balanceOf: (money) => money.trim() }}
    />
    <partner-dialer
      broker-url="/dialer/session"
      connect-mode="manual"
      theme="dark"
      low-balance={100}
      ref={ref}
      className="phone"
      floating
    />
    <partner-dialer
      brokerUrl="/dialer/session"
      ondialer-callend={(event) => event.detail.call.outcome}
      key="1"
    />
  </>
);

export const wrong = (
  <>
    {/* @ts-expect-error no such value */}
    <PartnerDialer connectMode="sometimes" />
    {/* @ts-expect-error no such property */}
    <PartnerDialer brokerurl="/dialer/session" />
    {/* @ts-expect-error a number */}
    <PartnerDialer lowBalance="100" />
    {/* @ts-expect-error no such word */}
    <PartnerDialer words={{ dailer: 'Phone' }} />
    {/* @ts-expect-error a function */}
    <PartnerDialer words={{ balanceOf: 'Balance' }} />
    {/* @ts-expect-error no such event */}
    <PartnerDialer onDialerRang={() => undefined} />
    {/* @ts-expect-error its detail has no such thing */}
    <PartnerDialer onDialerCallEnd={(event) => event.detail.reason} />
    {/* @ts-expect-error no such value */}
    <partner-dialer theme="pink" />
    {/* @ts-expect-error no such property; of a name with a hyphen JSX lets any through */}
    <partner-dialer brokerAdress="/dialer/session" />
    {/* @ts-expect-error no such value */}
    <partner-dialer connect-mode="sometimes" />
  </>
);

export async function use(dialer: PartnerDialerElement): Promise<DialerState> {
  await dialer.prefill('0900000200', { name: 'An' });
  await dialer.call('0900000200', { name: 'An', externalCallId: 'deal1' });
  // @ts-expect-error a boolean
  await dialer.setMuted('yes');
  // @ts-expect-error read only
  dialer.hotlines = [];
  // @ts-expect-error no such method
  dialer.dial('0900000200');
  const made: DialerClass = document.createElement('partner-dialer');
  document
    .querySelector('partner-dialer')
    ?.addEventListener('dialer-callfail', ({ detail }) => detail.code satisfies string);
  document.addEventListener('dialer-callend', ({ detail }) => detail.call.number satisfies string);
  window.addEventListener('dialer-blocked', ({ detail }) => detail.reason satisfies string);
  // @ts-expect-error its detail has no such thing
  window.addEventListener('dialer-blocked', ({ detail }) => detail.number);
  return made.state;
}
