/** A headless Chromium with a made-up microphone that reaches nothing but this machine. */
import { chromium, type Browser } from 'playwright-core';
import { findChromium } from '../chromium.ts';

export function launchBrowser(): Promise<Browser> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({
    executablePath: findChromium(),
    headless: true,
    args: [
      ...asRoot,
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      '--allow-loopback-in-peer-connection',
      '--ignore-certificate-errors',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-gpu',
      '--disable-quic',
      '--disable-sync',
      // An SDK under test may have addresses built in: its sounds, a STUN server.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}
