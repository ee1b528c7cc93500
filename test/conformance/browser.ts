/** A Chromium with a made-up microphone that reaches nothing but this machine. */
import type { LaunchOptions } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from '../chromium.ts';

export const LAUNCH: LaunchOptions = {
  executablePath: findChromium(),
  args: [
    ...CHROMIUM_ARGS,
    '--allow-loopback-in-peer-connection',
    '--ignore-certificate-errors',
    '--disable-quic',
    // An SDK under test may have addresses built in: its sounds, a STUN server.
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ],
};
