/** A telephone for tests: the least SIP over WebSocket that can register, call and be called. */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { WebSocket } from 'ws';
import { AudioPeer } from '../../exchange/audio-peer.ts';
import { createExchange, type Exchange } from '../../exchange/exchange.ts';
import { World, type Member } from '../../world/world.ts';

const REALM = 'sandbox.invalid';
/** Generous, as it only ends what would wait for ever. */
const TIMEOUT_MS = 20_000;

interface Message {
  /** `SIP/2.0 200 OK` or `BYE sip:… SIP/2.0`. */
  readonly first: string;
  readonly text: string;
  readonly body: string;
  header(name: string): string;
}

interface Dialog {
  readonly callId: string;
  readonly from: string;
  readonly to: string;
}

/** The place a test happens in: one world, one exchange, one member with money and a hotline. */
export class Site {
  readonly world = new World();
  readonly member: Member;
  readonly exchange: Exchange;
  readonly #server: Server = createServer();
  readonly #phones: Phone[] = [];

  constructor(t: TestContext, minuteMs = 60_000) {
    t.after(() => this.#close());
    this.member = this.world.createMember('agent001', ['HL_SALES']);
    this.world.setBalance(this.member, 1000);
    this.exchange = createExchange(this.world, { minuteMs });
    this.exchange.attach(this.#server);
  }

  async connect(user = this.member.sipUser): Promise<Phone> {
    if (!this.#server.listening) {
      await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    }
    const { port } = this.#server.address() as AddressInfo;
    const phone = await Phone.open(`ws://127.0.0.1:${port}/ws`, user);
    this.#phones.push(phone);
    return phone;
  }

  async register(): Promise<Phone> {
    const phone = await this.connect();
    await phone.register(this.member.sipPassword);
    return phone;
  }

  /** Waits for what happens at the exchange without a message to this side. */
  async settled(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    }
  }

  #close(): void {
    this.exchange.close();
    for (const phone of this.#phones) phone.close();
    this.#server.close();
  }
}

/** An agent's side of the audio. */
export class Headset {
  received = 0;
  #wake: () => void = () => {};
  readonly peer = new AudioPeer({
    frame: ({ length }) => {
      this.received += length;
      this.#wake();
    },
    gone: () => {},
  });

  constructor(t: TestContext) {
    t.after(() => this.peer.close());
  }

  /** Resolves when this many more bytes of audio have arrived; rejects after 20 s of too little. */
  async receives(bytes: number): Promise<void> {
    const total = this.received + bytes;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`Only ${this.received} of ${total} bytes received`)),
        TIMEOUT_MS,
      );
      this.#wake = () => {
        if (this.received < total) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

export class Phone {
  readonly user: string;
  readonly contact: string;
  readonly #socket: WebSocket;
  readonly #inbox: Message[] = [];
  #wake: () => void = () => {};
  #sequence = 0;

  constructor(socket: WebSocket, user: string, host = `${randomUUID().slice(0, 8)}.invalid`) {
    this.#socket = socket;
    this.user = user;
    this.contact = `<sip:phone@${host};transport=ws>`;
    socket.on('message', (data) => {
      this.#inbox.push(parse(String(data)));
      this.#wake();
    });
  }

  static open(url: string, user: string): Promise<Phone> {
    const socket = new WebSocket(url, 'sip');
    return new Promise((resolve, reject) => {
      const phone = new Phone(socket, user);
      socket.once('open', () => resolve(phone));
      socket.once('error', reject);
    });
  }

  get closed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.readyState === WebSocket.CLOSED) resolve();
      else this.#socket.once('close', () => resolve());
    });
  }

  close(): void {
    this.#socket.terminate();
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  /**
   * The next message that fits, in the order of arrival; earlier ones that do not are passed over.
   *
   * @param branch of the request whose response it is: a late ACK has the exchange send an earlier response again
   */
  async next(pattern: RegExp, withinMs = TIMEOUT_MS, branch = ''): Promise<Message> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      while (this.#inbox.length > 0) {
        const message = this.#inbox.shift();
        const fits = message !== undefined && pattern.test(message.first);
        if (fits && message.header('Via').includes(branch)) return message;
      }
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`Nothing like ${pattern} within ${withinMs} ms`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Registers with the digest the exchange asks for; resolves with the last answer. */
  async register(password: string, expires = 600, withinMs = TIMEOUT_MS): Promise<Message> {
    const callId = randomUUID();
    const own = `<sip:${this.user}@${REALM}>`;
    const dialog: Dialog = { callId, from: `${own};tag=${callId.slice(0, 6)}`, to: own };
    const headers = [`Expires: ${expires}`];
    this.request('REGISTER', `sip:${REALM}`, dialog, headers);
    const first = await this.next(/^SIP/, withinMs);
    if (!first.first.startsWith('SIP/2.0 401')) return first;
    const nonce = /nonce="([^"]+)"/.exec(first.header('WWW-Authenticate'))?.[1] ?? '';
    const ha1 = md5(`${this.user}:${REALM}:${password}`);
    const ha2 = md5(`REGISTER:sip:${REALM}`);
    const response = md5(`${ha1}:${nonce}:00000001:abc:auth:${ha2}`);
    const authorization =
      `Authorization: Digest algorithm=MD5, username="${this.user}", realm="${REALM}", nonce="${nonce}", ` +
      `uri="sip:${REALM}", response="${response}", qop=auth, cnonce="abc", nc=00000001`;
    this.request('REGISTER', `sip:${REALM}`, dialog, [...headers, authorization]);
    return this.next(/^SIP/);
  }

  /** Sends an INVITE to what is dialled, e.g. `9001*0900000200`; returns what CANCEL, ACK and BYE need. */
  invite(
    dialled: string,
    sdp: string,
    headers: readonly string[] = [],
  ): Dialog & { readonly branch: string } {
    const callId = randomUUID();
    const dialog = {
      callId,
      from: `<sip:${this.user}@${REALM}>;tag=${callId.slice(0, 6)}`,
      to: `<sip:${dialled}@${REALM}>`,
    };
    const branch = this.request('INVITE', `sip:${dialled}@${REALM}`, dialog, headers, sdp);
    return { ...dialog, branch };
  }

  /** Sends any request, within a dialog when the tags are there; returns its branch. */
  request(
    method: string,
    uri: string,
    { callId, from, to }: Dialog,
    headers: readonly string[] = [],
    body = '',
    { branch = `z9hG4bK${randomUUID()}`, sequence = ++this.#sequence, type = 'application/sdp' } = {},
  ): string {
    this.send(
      [
        `${method} ${uri} SIP/2.0`,
        `Via: SIP/2.0/WS phone.invalid;branch=${branch}`,
        'Max-Forwards: 69',
        `To: ${to}`,
        `From: ${from}`,
        `Call-ID: ${callId}`,
        `CSeq: ${sequence} ${method}`,
        `Contact: ${this.contact}`,
        ...headers,
        ...(body === '' ? [] : [`Content-Type: ${type}`]),
        `Content-Length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n'),
    );
    return branch;
  }

  /** Confirms an answered INVITE and gives the dialog as this side now sees it. */
  acknowledge(dialog: Dialog, answer: Message): Dialog {
    const confirmed = { ...dialog, to: answer.header('To') };
    this.request('ACK', 'sip:exchange@sandbox.invalid', confirmed, [], '', { sequence: sequenceOf(answer) });
    return confirmed;
  }

  /** Answers a request from the exchange. */
  respond(request: Message, status: string, body = ''): Dialog {
    const to = request.header('To');
    const own = to.includes(';tag=') ? to : `${to};tag=${randomUUID().slice(0, 6)}`;
    this.send(
      [
        `SIP/2.0 ${status}`,
        `Via: ${request.header('Via')}`,
        `To: ${own}`,
        `From: ${request.header('From')}`,
        `Call-ID: ${request.header('Call-ID')}`,
        `CSeq: ${request.header('CSeq')}`,
        `Contact: ${this.contact}`,
        ...(body === '' ? [] : ['Content-Type: application/sdp']),
        `Content-Length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n'),
    );
    return { callId: request.header('Call-ID'), from: own, to: request.header('From') };
  }
}

function sequenceOf(message: Message): number {
  return Number.parseInt(message.header('CSeq'), 10);
}

function parse(text: string): Message {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const header = (name: string) => {
    const line = lines.find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`));
    return line?.slice(name.length + 1).trim() ?? '';
  };
  return { first, text, body, header };
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
