/** All scenarios, by subject. */
import type { Family } from './scenario.ts';
import { boot } from './scenarios/boot.ts';
import { dialling } from './scenarios/dialling.ts';
import { dom } from './scenarios/dom.ts';
import { failures } from './scenarios/failures.ts';
import { inCall } from './scenarios/in-call.ts';
import { incoming } from './scenarios/incoming.ts';
import { outgoing } from './scenarios/outgoing.ts';
import { page } from './scenarios/page.ts';
import { socket } from './scenarios/socket.ts';
import { sound } from './scenarios/sound.ts';

export const FAMILIES: readonly Family[] = [
  boot,
  outgoing,
  dialling,
  failures,
  incoming,
  inCall,
  sound,
  dom,
  socket,
  page,
];
