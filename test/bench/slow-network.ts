/** A proxy on loopback that is as far away as a network: a round-trip time, a handshake, a bandwidth shared by all. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

const RTT_MS = 100;
/** 10 Mbit/s. */
const BYTES_PER_MS = 1250;
/** TCP and TLS 1.3. */
const HANDSHAKE_RTTS = 2;

export interface SlowNetwork {
  readonly origin: string;
  close(): void;
}

/** @param handshakes round trips until a connection is there */
export async function slowNetwork(port: number, handshakes = HANDSHAKE_RTTS): Promise<SlowNetwork> {
  /** When the shared line is free again, for what comes down. */
  let freeAt = 0;
  const sockets = new Set<Socket>();
  const forward = (from: Socket, to: Socket, readyAt: number, isShared: boolean) => {
    // One after the other, however the timers fall.
    let last: Promise<unknown> = Promise.resolve();
    const later = (at: number, work: () => void) => {
      const due = new Promise((resolve) => {
        setTimeout(resolve, Math.max(0, at - performance.now()));
      });
      last = last.then(() => due).then(work);
    };
    from.on('data', (chunk: Buffer) => {
      const sent = Math.max(performance.now(), isShared ? freeAt : 0);
      const passed = isShared ? (freeAt = sent + chunk.length / BYTES_PER_MS) : sent;
      later(Math.max(passed, readyAt) + RTT_MS / 2, () => to.writable && to.write(chunk));
    });
    from.on('end', () => later(performance.now() + RTT_MS / 2, () => to.end()));
    from.on('error', () => to.destroy());
  };
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    const readyAt = performance.now() + handshakes * RTT_MS;
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    forward(client, upstream, readyAt, false);
    forward(upstream, client, 0, true);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
