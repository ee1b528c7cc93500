/** A headless Chromium with a made-up microphone that reaches nothing but this machine. */
import { chromium, type Browser } from 'playwright-core';
import { CHROMIUM_ARGS, findChromium } from '../chromium.ts';

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    headless: true,
    args: [
      ...CHROMIUM_ARGS,
      '--allow-loopback-in-peer-connection',
      '--ignore-certificate-errors',
      '--disable-quic',
      // An SDK under test may have addresses built in: its sounds, a STUN server.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}
