/**
 * The network between an agent's page and the exchange: all audio goes through this relay on the loopback interface, which
 * loses and delays packets as the settings say, in both directions. It is a NAT to both: the page sees the relay's address
 * only, and the exchange one socket of it for each address of the page. It reads the headers of RTP, never the audio, which is
 * encrypted.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

const LOOPBACK = '127.0.0.1';
const SAMPLES_PER_MS = 8;

interface Conditions {
  /** Percent of the audio packets. */
  readonly packetLoss: number;
  /** One way, in milliseconds. */
  readonly packetDelay: number;
  /** Up to so many milliseconds more. */
  readonly packetJitter: number;
}

interface BoundSocket {
  readonly socket: Socket;
  readonly port: Promise<number>;
}

/** One direction. */
export interface Measured {
  readonly packets: number;
  readonly lost: number;
  /** By RFC 3550. */
  readonly jitterMs: number;
  readonly delayMs: number;
}

export class Network {
  readonly toAgent: Direction;
  readonly fromAgent: Direction;
  readonly #agentSide = createSocket('udp4');
  /** Towards the exchange, by address of the page. */
  readonly #exchangeSide = new Map<string, BoundSocket>();
  #exchangePort = 0;
  #isClosed = false;

  constructor(conditions: () => Conditions) {
    this.toAgent = new Direction(conditions);
    this.fromAgent = new Direction(conditions);
    this.#agentSide.on('message', (packet, { address, port }) => {
      this.fromAgent.pass(packet, () =>
        this.#socketFor(address, port)?.socket.send(packet, this.#exchangePort, LOOPBACK),
      );
    });
  }

  /** The exchange's description, with the address that the page is to send to. */
  async withAgentSide(description: string): Promise<string> {
    const port = new RegExp(`^a=candidate:.* ${LOOPBACK} (\\d+) typ host`, 'm').exec(description)?.[1];
    if (port === undefined) throw new Error('The description has no address');
    if (this.#isClosed) return description;
    this.#exchangePort = Number(port);
    const opened = await bind(this.#agentSide);
    return description.replaceAll(` ${LOOPBACK} ${port} `, ` ${LOOPBACK} ${opened} `);
  }

  /**
   * The page's description, with addresses that the exchange is to send to. A `.local` name, behind which a browser hides an
   * address, would be looked up in the real network: it is left out, and the page is found by what it sends.
   */
  async withExchangeSide(description: string): Promise<string> {
    const lines = description.split(/(?<=\n)/).map(async (line) => {
      const [, before, address, port, after] =
        /^(a=candidate:\S+ \d+ udp \d+) (\S+) (\d+) (.*\s*)$/i.exec(line) ?? [];
      if (!line.startsWith('a=candidate:')) return line;
      const bound = isIPv4(address ?? '') ? this.#socketFor(String(address), Number(port)) : undefined;
      return bound ? `${before} ${LOOPBACK} ${await bound.port} ${after}` : '';
    });
    return (await Promise.all(lines)).join('');
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#agentSide.close();
    for (const { socket } of this.#exchangeSide.values()) socket.close();
  }

  /** Undefined: a packet that was delayed beyond the end of the call. */
  #socketFor(address: string, port: number): BoundSocket | undefined {
    if (this.#isClosed) return undefined;
    const key = `${address}:${port}`;
    const known = this.#exchangeSide.get(key);
    if (known) return known;
    const socket = createSocket('udp4');
    socket.on('message', (packet) => {
      this.toAgent.pass(packet, () => {
        if (!this.#isClosed) this.#agentSide.send(packet, port, address);
      });
    });
    const bound = { socket, port: bind(socket) };
    this.#exchangeSide.set(key, bound);
    return bound;
  }
}

async function bind(socket: Socket): Promise<number> {
  socket.bind(0, LOOPBACK);
  await once(socket, 'listening');
  return socket.address().port;
}

class Direction {
  readonly #conditions: () => Conditions;
  #packets = 0;
  #lost = 0;
  #delaySum = 0;
  #jitter = 0;
  #transit: number | undefined;
  /** No packet overtakes another one. */
  #lastDue = 0;

  constructor(conditions: () => Conditions) {
    this.#conditions = conditions;
  }

  get measured(): Measured {
    const arrived = Math.max(1, this.#packets - this.#lost);
    return {
      packets: this.#packets,
      lost: this.#lost,
      jitterMs: this.#jitter,
      delayMs: this.#delaySum / arrived,
    };
  }

  pass(packet: Buffer, deliver: () => void): void {
    const { packetLoss, packetDelay, packetJitter } = this.#conditions();
    const sentAt = performance.now();
    const isAudio = isRtp(packet);
    if (isAudio) this.#packets += 1;
    // Without the ways to set a call up, nothing would be heard at all, which is another fault.
    if (isAudio && Math.random() * 100 < packetLoss) {
      this.#lost += 1;
      return;
    }
    const due = Math.max(this.#lastDue, sentAt + packetDelay + Math.random() * packetJitter);
    this.#lastDue = due;
    const arrive = () => {
      if (isAudio) this.#arrived(packet, sentAt);
      deliver();
    };
    if (due - sentAt < 1) arrive();
    else setTimeout(arrive, due - sentAt);
  }

  #arrived(packet: Buffer, sentAt: number): void {
    const at = performance.now();
    this.#delaySum += at - sentAt;
    const transit = at - packet.readUInt32BE(4) / SAMPLES_PER_MS;
    const change = Math.abs(transit - (this.#transit ?? transit));
    this.#transit = transit;
    // The timestamp of a new stream, or of one that was held, begins anew.
    if (change < 1000) this.#jitter += (change - this.#jitter) / 16;
  }
}

/** Neither STUN nor DTLS (RFC 7983), nor RTCP (RFC 5761). */
function isRtp(packet: Buffer): boolean {
  const [first = 0, second = 0] = packet;
  const type = second & 0x7f;
  return first >= 128 && first < 192 && (type < 64 || type > 95);
}
