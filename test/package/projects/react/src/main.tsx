import { StrictMode, useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { PartnerDialer, type PartnerDialerElement } from 'partner-dialer/react';
import { fakePhone } from 'partner-dialer/testing';

const phone = fakePhone();
const events: string[] = [];
Object.assign(window, { phone, events });

function App() {
  const dialer = useRef<PartnerDialerElement>(null);
  const [shown, setShown] = useState(true);
  const [number, setNumber] = useState('');
  useEffect(() => {
    Object.assign(window, { dialer, unmount: () => setShown(false) });
  }, []);
  if (!shown) return null;
  return (
    <PartnerDialer
      ref={dialer}
      brokerUrl={phone.brokerUrl}
      sdkUrl={phone.sdkUrl}
      brokerHeaders={{ 'X-Number': number }}
      connectMode="auto"
      lang="en"
      className="phone"
      onDialerReady={() => events.push('ready')}
      onDialerBeforeCall={(event) => {
        events.push('beforecall');
        setNumber(event.detail.number);
      }}
      onDialerCallConnect={(event) => events.push(`connect ${event.detail.call.direction}`)}
      onDialerCallEnd={(event) => events.push(`end ${event.detail.call.outcome}`)}
    />
  );
}

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
