/** Puts the dialer into the page and takes it out again, as a page with many views does. */
const MOUNTS = 200;

const start = document.querySelector('#start');
const count = document.querySelector('#count');
const place = document.querySelector('#place');

function makeDialer() {
  const dialer = document.createElement('partner-dialer');
  dialer.brokerUrl = '/server/dialer/session';
  dialer.brokerHeaders = { Authorization: 'Bearer demo-token' };
  dialer.sdkUrl = '/vendor/vbot-sdk.js';
  dialer.sdkBaseUrl = '/vendor/v3.0';
  dialer.clickToCall = true;
  return dialer;
}

function wait(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** How long one is left in the page. */
function stay(dialer, round) {
  if (round === 100) return dialer.connect().catch(() => undefined);
  // Interrupted at another moment of signing in each time.
  if (round % 8 === 0) return wait(round / 2);
  return Promise.resolve();
}

start.addEventListener('click', async () => {
  start.disabled = true;
  place.replaceChildren();
  for (let round = 1; round <= MOUNTS; round += 1) {
    const dialer = makeDialer();
    place.append(dialer);
    await stay(dialer, round);
    dialer.remove();
    count.value = String(round);
  }
  place.append(makeDialer());
  start.disabled = false;
});
