/**
 * The dialer broken on purpose, in as many ways as it has promises: each of these has to be noticed by the model.
 * `find` stands exactly once in its file.
 */
import { readFileSync } from 'node:fs';

export interface Breakage {
  /** What is promised no longer; the letter is that of the invariants that notice it. */
  readonly title: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export const BREAKAGES: readonly Breakage[] = [
  {
    title: 'a: a new connection waits for the end of the call',
    file: 'src/dialer/connection/connection.ts',
    find: 'if (!isBusy(call) && isFree) return',
    replace: 'return',
  },
  {
    title: 'a: leaving the page ends the call at the exchange',
    file: 'src/sdk/vbot/sdk.ts',
    find: '    this.#calls?.element.remove();',
    replace: '',
  },
  {
    title: 'a: the browser asks before a page with a call is left',
    file: 'src/page/leaving.ts',
    find: "if (on) addEventListener('beforeunload', this.#ask);\n    else ",
    replace: '',
  },
  {
    title: 'a: the timer of one call does not end the next',
    file: 'src/sdk/vbot/audio.ts',
    find: 'if (isFailed()) later(AUDIO_TIMEOUT_MS, left, () => isFailed() && end());',
    replace: 'if (isFailed()) end();',
  },
  {
    title: 'a: a call that the SDK ends without a network goes on until the exchange can be told',
    file: 'src/sdk/vbot/hold.ts',
    find: 'return canEnd() ? terminate(options) : end();',
    replace: 'return terminate(options);',
  },
  {
    title: 'a: a call whose ACK is lost with its socket goes on until the exchange can be told',
    file: 'src/sdk/vbot/call.ts',
    find: "    this.#session?.receiveRequest?.({ method: 'ACK' });\n",
    replace: '',
  },
  {
    title: 'a: a call whose INVITE arrives after JsSIP has given it up is ended, too',
    file: 'src/sdk/vbot/call.ts',
    find: '    this.#options.socket.openCalls.leave(this.#sipId);\n',
    replace: '',
  },
  {
    title: 'a: a dialer that is moved is not removed',
    file: 'src/element/partner-dialer.ts',
    find: 'this.isConnected || ',
    replace: '',
  },
  {
    title: 'd: a dialer whose window is closed can be put back into the page',
    file: 'src/element/partner-dialer.ts',
    find: 'document.adoptNode(this);',
    replace: 'this.disconnectedCallback();',
  },
  {
    title: 'b: a call that this side gives up was cancelled or declined',
    file: 'src/sdk/vbot/outcome.ts',
    find: "  if (cause === 'hung-up') return certain('cancelled');",
    replace: '',
  },
  {
    title: 'b: a failure is told before its end',
    file: 'src/dialer/page-events.ts',
    find: "return failure ? [{ name: 'callfail', call: info, ...failure }, end] : [end];",
    replace: 'return [end];',
  },
  {
    title: 'b: a call in progress ends with a disconnect',
    file: 'src/dialer/state/state.ts',
    find: "call: isLive(state.call) ? call : { is: 'none' } });",
    replace: "call: { is: 'none' } });",
  },
  {
    title: 'b: the end of an earlier call is not that of this one',
    file: 'src/sdk/vbot/calls.ts',
    find: 'if (call && (message.id === undefined || message.id === call.info.id)) {',
    replace: 'if (call) {',
  },
  {
    title: 'b: a call is as long as it lasts, whoever sets the clock',
    file: 'src/dialer/store.ts',
    find: 'if (!isLive(call) && !isWaiting) this.#origin',
    replace: 'if (!isWaiting) this.#origin',
  },
  {
    title: 'c: a sign-in that was overtaken is no success',
    file: 'src/dialer/connection/connection.ts',
    find: "    if (state.line.is === 'off') throw disconnected();",
    replace: '',
  },
  {
    title: 'c: a page whose function never answers is not waited for',
    file: 'src/broker/request.ts',
    find: 'return await orAbort(send(), end)',
    replace: 'return await send()',
  },
  {
    title: 'c: a hold counts once the exchange has agreed',
    file: 'src/sdk/vbot/hold.ts',
    find: 'this.#send(asked)) return;',
    replace: 'this.#send(asked)) return this.#agree(asked);',
  },
  {
    title: 'd: the end of a call makes nobody able to call who was so before it',
    file: 'src/dialer/page-events.ts',
    find: '    if (isBusy(call)) return false;',
    replace: '',
  },
  {
    title: 'd: ready means that a call can be placed',
    file: 'src/dialer/state/state.ts',
    find: "if (line.is !== 'up') return 'connecting';",
    replace: "if (line.is === 'connecting') return 'connecting';",
  },
  {
    title: 'd: a retry that nobody asked for shows nothing',
    file: 'src/dialer/state/line.ts',
    find: " || (line.is === 'failed' && event.isQuiet)",
    replace: '',
  },
  {
    title: 'd: the words of the page count when they change',
    file: 'src/element/phone.ts',
    find: 'if (own !== this.#ownWords || language',
    replace: 'if (language',
  },
  {
    title: 'e: one SDK runs at a time',
    file: 'src/sdk/vbot/widget.ts',
    find: '  await vacated;',
    replace: '',
  },
  {
    title: 'e: one press asks for one top-up',
    file: 'src/dialer/member/help-requests.ts',
    find: "known ?? { owner, kind, is: 'idle' };",
    replace: "{ owner, kind, is: 'idle' };",
  },
  {
    title: 'e: a second call waits for the first',
    file: 'src/dialer/calls/outgoing-calls.ts',
    find: "    if (isBusy(this.#state.call)) throw new DialerError('busy', 'Another call is in progress.');",
    replace: '',
  },
  {
    title: 'e: a call that was given up turns no caller away',
    file: 'src/sdk/vbot/calls.ts',
    find: 'this.#placing !== undefined && this.#latest?.left.aborted === false',
    replace: 'this.#placing !== undefined',
  },
  {
    title: 'e: an external call id is for one call',
    file: 'src/element/phone.ts',
    find: `    this.#usedCallId = externalCallId;
`,
    replace: '',
  },
  {
    title: 'e: a call that waits keeps its own external call id',
    file: 'src/dialer/calls/outgoing-calls.ts',
    find: 'const options = { ...attempt.options, hotline };',
    replace: 'const options = { ...attempt.options, ...this.#withAttributes({}).options, hotline };',
  },
  {
    title: 'e: nobody is called who was to be called before the machine slept',
    file: 'src/dialer/calls/outgoing-calls.ts',
    find: 'waited() > LONGEST_WAIT_MS',
    replace: 'waited() > Infinity',
  },
  {
    title: 'a: a dialer that is put back some promises later is not removed',
    file: 'src/element/partner-dialer.ts',
    find: 'nextTask(() => {',
    replace: 'queueMicrotask(() => {',
  },
  {
    title: 'c: a call is muted also in the middle of a move',
    file: 'src/element/partner-dialer.ts',
    find: 'await this.#phone.dialer.setMuted(',
    replace: 'await this.#phone.configuredDialer().setMuted(',
  },
  {
    title: 'e: a page can prevent a call on its document in the middle of a move, too',
    file: 'src/element/phone.ts',
    find: 'return dispatch(this.#element.ownerDocument) && isOurs;',
    replace: 'dispatch(this.#element.ownerDocument);\n    return isOurs;',
  },
  {
    title: 'e: a call goes out from the number that the page names for it',
    file: 'src/dialer/calls/outgoing-calls.ts',
    find: `      options.hotline,
      //`,
    replace: '      //',
  },
  {
    title: 'e: a call that waits goes out from the number that the agent chooses meanwhile',
    file: 'src/dialer/calls/outgoing-calls.ts',
    find: 'this.#attempt.preferred = () => [number, settings?.hotline];',
    replace: 'void [number, settings];',
  },
  {
    title: 'e: a call goes out from the number that the page was told',
    file: 'src/dialer/calls/outgoing-calls.ts',
    find: 'await sdk.dial(number, options.hotline,',
    replace: 'await sdk.dial(number, chooseCallerNumber(this.#state.hotlines, []),',
  },
  {
    title: 'h: a call that waits does not go out from what another one chose',
    file: 'src/dialer/calls/outgoing-calls.ts',
    find: '...(isOtherOwner(this.#state.owner, owner) ? [] : [inSight, chosenHotline]),',
    replace: 'owner && inSight, owner && chosenHotline,',
  },
  {
    title: 'h: the caller numbers are those that the SDK names',
    file: 'src/dialer/state/hotlines.ts',
    find: '  if (ofSdk.length === 0) return ofBroker;',
    replace: '  if (ofBroker.length > 0) return ofBroker;',
  },
  {
    title: 'e: help is asked for only while it is needed',
    file: 'src/broker/session.ts',
    find: '      if (!isNeeded()) return undefined;',
    replace: '',
  },
  {
    title: 'e: the call is answered for which somebody has asked',
    file: 'src/dialer/calls/calls.ts',
    find: ' || present.info.id !== id',
    replace: '',
  },
  {
    title: 'e: a microphone that comes too late does not answer the next call',
    file: 'src/sdk/vbot/microphones.ts',
    find: '      stopTracks(stream);\n    } catch',
    replace: '      return stream;\n    } catch',
  },
  {
    title: 'e: nor does one that comes in the task in which that call comes',
    file: 'src/sdk/vbot/microphones.ts',
    find: 'return this.#left.aborted || this.#isOvertaken();',
    replace: 'return this.#left.aborted;',
  },
  {
    title: 'e: nor does the answer to the call before',
    file: 'src/sdk/vbot/call.ts',
    find: "=== 'incoming' && !this.#isOvertaken) void",
    replace: "=== 'incoming') void",
  },
  {
    title: 'a: the end of a call does not end the next one',
    file: 'src/sdk/vbot/call.ts',
    find: 'if (!this.#isOvertaken) element.hangupCall();',
    replace: 'element.hangupCall();',
  },
  {
    title: 'e: a broker that fails is left in peace',
    file: 'src/dialer/connection/reconnection.ts',
    find: 'await this.#retry.due(wait, signal);',
    replace: 'await this.#retry.due(10, signal);',
  },
  {
    title: 'f: what is to be tried again is tried again',
    file: 'src/dialer/connection/reconnection.ts',
    find: '    if (!signal.aborted) this.#reconnect();',
    replace: '',
  },
  {
    title: 'f: a broker without a status link is asked again for a session',
    file: 'src/dialer/member/member-check.ts',
    find: "    if (!session || line.is === 'failed' || block",
    replace: "    if (!session?.hasStatus || line.is === 'failed' || block",
  },
  {
    title: 'f: a token is renewed before it ends',
    file: 'src/dialer/connection/connection.ts',
    find: '    void this.#renew(session, signal);',
    replace: '',
  },
  {
    title: 'f: no microphone stays open after its call',
    file: 'src/sdk/vbot/microphones.ts',
    find: '      stopTracks(stream);\n    } catch',
    replace: '    } catch',
  },
  {
    title: 'g: a dialer that is removed signs out',
    file: 'src/element/sign-in.ts',
    find: `    this.#inPage?.abort();
    this.#pending?.abort();
    void this.#dialer.disconnect();`,
    replace: '',
  },
  {
    title: 'g: a start that is under way is waited for before its element is removed',
    file: 'src/sdk/vbot/widget.ts',
    find: '    await unused();\n',
    replace: '',
  },
  {
    title: 'f: a dialer that has ended gives its lock back',
    file: 'src/dialer/connection/tab-lock.ts',
    find: '    this.#release();',
    replace: '',
  },
  {
    title: 'g: no token is in an error',
    file: 'src/broker/answers.ts',
    find: "`The broker's response is not valid. Missing or invalid: ${needed.join(', ')}.`",
    replace:
      "`The broker's response is not valid. Missing or invalid: ${JSON.stringify(json)} ${needed.join(', ')}.`",
  },
  {
    title: 'a: a call hung up without a socket is ended at the exchange, too',
    file: 'src/sdk/vbot/call.ts',
    find: "return socket.canEndCall || !(this.isAnswered || readState(element) === 'in-call');",
    replace: 'return true;',
  },
  {
    title: 'h: what is in the display goes with the member who signs out',
    file: 'src/ui/ui-state.ts',
    find: 'return isInSight ? display : EMPTY_DISPLAY;',
    replace: 'return display;',
  },
  {
    title: 'h: what is in the display is not for a member who signs in without a sign-out',
    file: 'src/ui/ui-state.ts',
    find: 'return isOtherOwner(owner, display.owner) ? { ...EMPTY_DISPLAY, owner } : { ...display, owner };',
    replace: 'return { ...display, owner };',
  },
  {
    title: 'h: a chosen caller number is for the one who chose it',
    file: 'src/dialer/state/state.ts',
    find: 'call: withoutEnded(state.call), owner });',
    replace: 'call: withoutEnded(state.call), owner, chosenHotline: state.chosenHotline });',
  },
  {
    title: 'h: each member has a call log of their own',
    file: 'src/ui/view-controller.ts',
    find: 'if (presentOwner(to) !== presentOwner(from)) this.followCallLog();',
    replace: 'if (to === from) this.followCallLog();',
  },
  {
    title: 'h: a call is kept under the name of the one who made it',
    file: 'src/dialer/calls/call-log.ts',
    find: 'this.#stored = owner ?',
    replace: 'this.#stored ??= owner ?',
  },
  {
    title: 'h: who has signed in is told',
    file: 'src/dialer/connection/connection.ts',
    find: '    if (this.#member.replacedBy(session.brokerUrl, session.memberNo)) return this.#openForNewMember(session);',
    replace: '',
  },
  {
    title: 'h: a call goes out at the broker that was set last',
    file: 'src/dialer/connection/connection.ts',
    find: "(reason === 'sign-in' && sdk.leaving !== undefined)",
    replace: 'false',
  },
  {
    title: 'a: an answer that crosses the end of a call is ended, too',
    file: 'src/sdk/vbot/sip-socket.ts',
    find: 'for (const request of event.requests) send(request);',
    replace: '{}',
  },
  {
    title: 'c: what is sent is what is shown',
    file: 'src/sdk/vbot/audio.ts',
    find: 'microphone.enabled = !this.#isMuted && !this.#hold.isSilent;',
    replace: 'microphone.enabled = !this.#isMuted;',
  },
  {
    title: 'd: the answer to the later question counts',
    file: 'src/broker/session.ts',
    find: `    if (request < this.#latestRequest) return this.#latest;
`,
    replace: '',
  },
  {
    title: 'd: an SDK that the page has removed places no calls',
    file: 'src/sdk/vbot/widget.ts',
    find: `    onRemoved();
`,
    replace: '',
  },
  {
    title: 'b: an earlier call of another length is not taken for this one',
    file: 'src/broker/call-cost.ts',
    find: '    isAsLong(call) &&\n',
    replace: '',
  },
  {
    title: 'h: a customer’s name stays with the call that it was asked for',
    file: 'src/dialer/state/call.ts',
    find: "if (!('info' in call) || !isSameCall(call.info, of)) return call;",
    replace: "if (!('info' in call)) return call;",
  },
  {
    title: 'e: a call that waits is not dialled from a tab that the agent has left',
    file: 'src/dialer/connection/tab-lock.ts',
    find: '      if (this.#askedThereAt > this.#askedAt) break;\n',
    replace: '',
  },
  {
    title: 'e: one phone, one tab: it is passed on when nothing is registered here any more',
    file: 'src/dialer/connection/tab-lock.ts',
    find: '    await this.#listener.released();\n    if (signal.aborted) return;\n',
    replace: '',
  },
  {
    title: 'e: a call that waits goes out from the caller number that was in sight',
    file: 'src/dialer/calls/outgoing-calls.ts',
    find: '[inSight, chosenHotline]',
    replace: '[chosenHotline]',
  },
  {
    title: 'a: over a socket that has died unnoticed, nobody is told, and so over the next one',
    file: 'src/sdk/vbot/sip-socket.ts',
    find: '      if (isEnding) later(SILENCE_MS, (silence = new AbortController()).signal, drop);\n',
    replace: '',
  },
];

/** Code that has changed since would make it break nothing. */
export function placesOf({ file, find }: Breakage): number {
  return readFileSync(file, 'utf8').split(find).length - 1;
}
