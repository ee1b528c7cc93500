/**
 * The transport of SIP over WebSocket: many sockets behind one interface. A response goes to the socket its request came
 * from; a request goes to the socket that last registered its address.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { SOCKET_PATH } from '../world/sip-account.ts';
import type { World } from '../world/world.ts';

/** Marks the top Via of what arrives, so that the answer finds its way back; RFC 3261 lets a server add to it. */
const MARK = 'sandbox-socket';

interface SocketEvents {
  message(text: string, socketId: string): void;
  closed(socketId: string): void;
}

export class SipSockets {
  readonly protocol = 'WS';
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: 65_536,
    handleProtocols: (offered) => (offered.has('sip') ? 'sip' : false),
  });
  readonly #sockets = new Map<string, WebSocket>();
  /** Contact address (`user@host`) to the socket it was last seen on. */
  readonly #contacts = new Map<string, string>();
  readonly #world: World;
  readonly #events: SocketEvents;
  #opened = 0;

  constructor(world: World, events: SocketEvents) {
    this.#world = world;
    this.#events = events;
  }

  /** Takes an upgrade request for the exchange's path; any other one is left untouched: false. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    if (request.url?.split('?', 1)[0] !== SOCKET_PATH) return false;
    // Without a listener, an error before the socket is accepted would end the process; a fault may delay that.
    socket.on('error', () => socket.destroy());
    const accept = () => this.#server.handleUpgrade(request, socket, head, (ws) => this.#open(ws));
    const fault = this.#world.faults.take('socket');
    if (fault === undefined) accept();
    else if (fault.kind === 'slow') setTimeout(accept, fault.value ?? 3000);
    else if (fault.kind === 'status') socket.end(`HTTP/1.1 ${fault.value ?? 503} Sandbox fault\r\n\r\n`);
    else if (fault.kind !== 'silent') socket.destroy();
    return true;
  }

  /** Sends one message. Rejects when its socket is gone. */
  send(message: string): Promise<void> {
    const socket = this.#sockets.get(this.#route(message) ?? '');
    if (socket === undefined) return Promise.reject(new Error('The socket for this message is gone'));
    // sip.js puts the standard phrase in place of an empty one, but passes a blank one on.
    const text = message.replace(/^(SIP\/2\.0 \d{3}) +\r\n/, '$1 \r\n');
    return new Promise((resolve, reject) => {
      socket.send(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  isOpen(socketId: string): boolean {
    return this.#sockets.has(socketId);
  }

  /** Cuts a connection the hard way, as a failing network does. */
  drop(socketId: string): void {
    this.#sockets.get(socketId)?.terminate();
  }

  dropAll(): void {
    for (const socket of this.#sockets.values()) socket.terminate();
  }

  close(): void {
    this.dropAll();
    this.#server.close();
  }

  #open(socket: WebSocket): void {
    this.#opened += 1;
    const id = String(this.#opened);
    this.#sockets.set(id, socket);
    socket.on('message', (data) => this.#receive(data, id));
    // A reset connection is an ordinary end here; 'close' follows.
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      this.#sockets.delete(id);
      for (const [contact, socketId] of this.#contacts) if (socketId === id) this.#contacts.delete(contact);
      this.#events.closed(id);
    });
  }

  #receive(data: RawData, id: string): void {
    const text = String(data);
    const contact = normalizeAddress(/^(?:contact|m):[^\r\n]*?sips?:([^;>\s]+)/im.exec(text)?.[1]);
    if (contact !== undefined) this.#contacts.set(contact, id);
    const marked = text.startsWith('SIP/2.0')
      ? text
      : text.replace(/^((?:via|v):[^\r\n]*)/im, `$1;${MARK}=${id}`);
    this.#events.message(marked, id);
  }

  #route(message: string): string | undefined {
    if (message.startsWith('SIP/2.0')) return new RegExp(`^via:.*;${MARK}=(\\d+)`, 'im').exec(message)?.[1];
    return this.#contacts.get(normalizeAddress(/^\S+ sips?:([^;\s]+)/.exec(message)?.[1]) ?? '');
  }
}

function normalizeAddress(uri: string | undefined): string | undefined {
  return uri?.toLowerCase();
}
