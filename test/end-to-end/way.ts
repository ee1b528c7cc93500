/** The way between page and exchange, as random-steps.test.ts disturbs it. */
import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext, WebSocketRoute } from '@playwright/test';

/** Longer than the SDK needs to register over a new socket, and to end the call that was left. */
const TELLING_MS = 3000;

function numberThatReplies(message: string): string | undefined {
  const isOfPhone = /^SIP\/2\.0 (?:18\d|200) [^]*CSeq: \d+ INVITE/.test(message);
  return isOfPhone ? /^To: [^\r]*\*(\d+)@/m.exec(message)?.[1] : undefined;
}

export const REPLIES = ['refused', 'late', 'twice'] as const;
type ReplyKind = (typeof REPLIES)[number];

const LATE_MS = 2500;

/** Those of the browser that this process has begun. */
function browserProcesses(): number[] {
  const table = execFileSync('ps', ['-Ao', 'pid=,ppid=,comm='], { encoding: 'utf8' });
  const rows = [...table.matchAll(/^ *(\d+) +(\d+) +(.*)$/gm)];
  const below = (parent: number): number[] =>
    rows
      .filter(([, , ppid, name = '']) => Number(ppid) === parent && /chrom/i.test(name))
      .flatMap(([, pid]) => [Number(pid), ...below(Number(pid))]);
  return below(process.pid);
}

/** Names the request to which the message belongs; `undefined`: it is none within a call, nor the reply to one. */
function requestWithinCall(message: string): string | undefined {
  const isWithinCall = /^To:[^\r]*;tag=/m.test(message) || message.startsWith('CANCEL');
  const request = /^CSeq: \d+ (?:INVITE|BYE|CANCEL|INFO)/m.exec(message)?.[0];
  return isWithinCall ? request && `${/^Call-ID: [^\r]*/m.exec(message)?.[0]} ${request}` : undefined;
}

/** The way between page and exchange: it can be cut or stall, and what the other side replies can be late or changed. */
export class Way {
  #isAway = false;
  #isStalled = false;
  #isHolding = false;
  /** Each with its other end, at the exchange. */
  readonly #sockets = new Map<WebSocketRoute, WebSocketRoute>();
  readonly #held: (() => void)[] = [];
  /** What becomes of the reply to the page's next request within a call. */
  #nextReply: ReplyKind | undefined;
  /** By the name of its request. */
  readonly #replies = new Map<string, ReplyKind>();
  /** In both directions, in their order. */
  readonly #stalled: (() => void)[] = [];
  /** When the page had a socket, in epoch milliseconds. */
  readonly #open: { readonly from: number; to: number }[] = [];
  /** In epoch milliseconds. */
  readonly #sleeps: { readonly from: number; readonly to: number }[] = [];
  /** When a socket was closed. */
  readonly #breaks: number[] = [];
  /** When all sockets stalled. */
  readonly stalls: number[] = [];
  /** When a page was loaded again. */
  readonly reloads: number[] = [];
  /** The numbers whose ringing or answer has reached the page: others got lost with the socket. */
  readonly heardOf = new Set<string>();
  /** There was none for a while, and only the SDK noticed. */
  lackedMicrophone = false;
  /** The network has been away. */
  wasAway = false;

  async follow(context: BrowserContext): Promise<void> {
    await context.routeWebSocket(/\/ws$/, (socket) => {
      if (this.#isAway) return void socket.close();
      const exchange = socket.connectToServer();
      this.#sockets.set(socket, exchange);
      const open = { from: Date.now(), to: Infinity };
      this.#open.push(open);
      const close = () => {
        this.#sockets.delete(socket);
        this.#breaks.push(Date.now());
        open.to = Math.min(open.to, Date.now());
      };
      socket.onMessage((message) =>
        this.#pass(() => {
          this.#noteRequest(String(message));
          if (this.#sockets.has(socket)) exchange.send(message);
          if (String(message).startsWith('CANCEL')) this.release();
        }),
      );
      exchange.onMessage((message) => {
        const number = numberThatReplies(String(message));
        const send = (text: string) =>
          this.#pass(() => {
            if (!this.#sockets.has(socket)) return;
            if (number !== undefined) this.heardOf.add(number);
            socket.send(text);
          });
        const isAnswer = number !== undefined && String(message).startsWith('SIP/2.0 200');
        if (isAnswer && this.#isHolding) this.#held.push(() => send(String(message)));
        else this.#reply(String(message), send);
      });
      socket.onClose(() =>
        this.#pass(() => {
          close();
          void exchange.close();
        }),
      );
      exchange.onClose(() =>
        this.#pass(() => {
          close();
          void socket.close();
        }),
      );
    });
  }

  /** Did everything get through between these times? */
  wasWhole(from: number, to: number): boolean {
    return ![...this.#breaks, ...this.stalls].some((at) => at >= from && at <= to);
  }

  /** Was a page loaded again between these times? What it sends last does not get through the test's own way. */
  wasReloaded(from: number, to: number): boolean {
    return this.reloads.some((at) => at >= from && at <= to);
  }

  /** Could the page register and end a call between these times? */
  couldTell(from: number, to: number): boolean {
    if (this.#sleeps.some((sleep) => sleep.from < to && sleep.to > from)) return false;
    return this.#open.some((open) => Math.min(open.to, to) - Math.max(open.from, from) > TELLING_MS);
  }

  /** Answers of the other party are on their way until a CANCEL has left, or `release()`. */
  hold(): void {
    this.#isHolding = true;
  }

  release(): void {
    this.#isHolding = false;
    for (const send of this.#held.splice(0)) send();
  }

  /** Nothing gets through, and neither side knows: a socket stays open. */
  stall(): void {
    this.#isStalled = true;
    this.stalls.push(Date.now());
  }

  /** What was sent meanwhile arrives. */
  flow(): void {
    this.#isStalled = false;
    for (const send of this.#stalled.splice(0)) send();
  }

  /** The machine of the page. What is sent to it meanwhile arrives when it wakes. */
  async sleep(ms: number): Promise<void> {
    const from = Date.now();
    const pids = browserProcesses();
    if (pids.length === 0) throw new Error('No process of a browser was found.');
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    await delay(ms);
    for (const pid of pids) process.kill(pid, 'SIGCONT');
    const to = Date.now();
    this.#sleeps.push({ from, to });
    this.stalls.push(from, to);
  }

  twist(nextReply: ReplyKind): void {
    this.#nextReply = nextReply;
  }

  #noteRequest(message: string): void {
    const request = message.startsWith('SIP/2.0') ? undefined : requestWithinCall(message);
    if (request === undefined || !this.#nextReply) return;
    this.#replies.set(request, this.#nextReply);
    this.#nextReply = undefined;
  }

  #reply(message: string, send: (text: string) => void): void {
    const request = /^SIP\/2\.0 [2-6]/.test(message) ? requestWithinCall(message) : undefined;
    const kind = request === undefined ? undefined : this.#replies.get(request);
    if (request !== undefined) this.#replies.delete(request);
    const refusal = message.replace(/^SIP\/2\.0 [^\r]*/, 'SIP/2.0 488 Not Acceptable Here');
    if (kind === 'late') setTimeout(() => send(message), LATE_MS);
    else send(kind === 'refused' ? refusal : message);
    if (kind === 'twice') send(message);
  }

  #pass(send: () => void): void {
    if (this.#isStalled) this.#stalled.push(send);
    else send();
  }

  /** What is on its way is lost. */
  async goAway(): Promise<void> {
    this.#isAway = this.wasAway = true;
    this.#isStalled = false;
    this.#stalled.length = 0;
    // At once: a busy page closes its sockets late.
    for (const open of this.#open) open.to = Math.min(open.to, Date.now());
    const lost = [...this.#sockets].flat();
    this.#sockets.clear();
    await Promise.all(lost.map((socket) => socket.close()));
  }

  comeBack(): void {
    this.#isAway = false;
  }
}
