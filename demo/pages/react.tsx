/** The dialer as a React component. */
import { StrictMode, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { PartnerDialer, type PartnerDialerElement } from 'partner-dialer/react';

/** Always agent001 here; on your page, the token of your own sign-in. */
const SIGNED_IN = { Authorization: 'Bearer demo-token' };

function Phone() {
  const dialer = useRef<PartnerDialerElement>(null);
  const [canCall, setCanCall] = useState(false);
  const [outcome, setOutcome] = useState('');
  // What keeps a call from being placed is shown by the dialer.
  const call = () =>
    void dialer.current?.call('0900000200', { name: 'Nguyễn Thị Mai' }).catch(() => undefined);
  return (
    <>
      <p>
        <button type="button" disabled={!canCall} onClick={call}>
          Call 0900 000 200
        </button>{' '}
        <output>{outcome}</output>
      </p>
      <PartnerDialer
        ref={dialer}
        brokerUrl="/server/dialer/session"
        brokerHeaders={SIGNED_IN}
        sdkUrl="/vendor/vbot-sdk.js"
        sdkBaseUrl="/vendor/v3.0"
        onDialerStateChange={({ detail: { state } }) => setCanCall(state.canCall)}
        onDialerCallEnd={({ detail: { call: ended } }) => setOutcome(ended.outcome ?? '')}
      />
    </>
  );
}

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <Phone />
    </StrictMode>,
  );
