/** All scenarios, by subject. */
import type { Family } from './scenario.ts';
import { boot } from './scenarios/boot.ts';
import { dialling } from './scenarios/dialling.ts';
import { devices } from './scenarios/devices.ts';
import { failures } from './scenarios/failures.ts';
import { inCall } from './scenarios/in-call.ts';
import { incoming } from './scenarios/incoming.ts';
import { listening } from './scenarios/listening.ts';
import { microphone } from './scenarios/microphone.ts';
import { outgoing } from './scenarios/outgoing.ts';
import { page } from './scenarios/page.ts';
import { placing } from './scenarios/placing.ts';
import { refusedBoot } from './scenarios/refused-boot.ts';
import { removal } from './scenarios/removal.ts';
import { repeats } from './scenarios/repeats.ts';
import { socket } from './scenarios/socket.ts';
import { sound } from './scenarios/sound.ts';

export const FAMILIES: readonly Family[] = [
  boot,
  refusedBoot,
  outgoing,
  dialling,
  failures,
  repeats,
  incoming,
  microphone,
  inCall,
  sound,
  devices,
  removal,
  placing,
  socket,
  listening,
  page,
];
