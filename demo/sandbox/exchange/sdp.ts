/** The few things the exchange reads and rewrites in session descriptions. */

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

const DIRECTION = /^a=(sendrecv|sendonly|recvonly|inactive)/m;

const MIRRORED: Readonly<Record<Direction, Direction>> = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
};

/** The direction of the audio, from the side of the description's author. */
export function readDirection(sdp: string): Direction {
  return (DIRECTION.exec(sdp)?.[1] as Direction | undefined) ?? 'sendrecv';
}

/** The agreed description once more, with the direction that fits the new offer and the next version number. */
export function answerAgain(agreed: string, offer: string, version: number): string {
  return agreed
    .replaceAll(new RegExp(DIRECTION, 'gm'), `a=${MIRRORED[readDirection(offer)]}`)
    .replace(/^(o=\S+ \S+) \d+/m, `$1 ${version}`);
}

/** Whether the description asks for new transport addresses, which this exchange does not do in a running call. */
export function restartsTransport(offer: string, previousOffer: string): boolean {
  return iceUser(offer) !== iceUser(previousOffer);
}

function iceUser(sdp: string): string | undefined {
  return /^a=ice-ufrag:(\S+)/m.exec(sdp)?.[1];
}
