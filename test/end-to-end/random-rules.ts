/** What must hold after each step of random-steps.test.ts, and at its end. */
import type { CallRecord, RegistrationRecord } from '../../demo/sandbox/world/records.ts';
import { expect, type AgentPage, type Site } from './fixtures.ts';
import { act, look, readNotes, type Notes, type Wish } from './random-steps.ts';
import type { Way } from './way.ts';

/** The exchange has to agree to a hold, and an SDK that is lost shows by its socket. */
const SETTLED_MS = 8000;
/** The network is back: the SDK has a socket again within this. */
const TOLD_MS = 45_000;
/** A phone that goes may still be called. */
const LEAVING_MS = 3000;
/** So long ago an end may have been sent that comes after a stalled network. */
const STALLED_MS = 6000;
/** The exchange ends the call, and then its socket. */
const CLOSING_MS = 1000;
/** Without audio for so long, the exchange ends the call. */
const SILENCE_MS = 15_000;

/** What the browser says of a request that fails, and the dialer of a network that is away. */
const OF_BROWSER = /Failed to load resource|WebSocket connection|net::ERR/;
const OF_NETWORK = /disconnect-sound-url cannot be loaded/;

/** Was the wish made in the tab that had the call with this number? A call of which no tab was told may be anywhere. */
type IsThere = (wish: Wish, number: string) => boolean;

/** What is heard is what is shown, and without a call no microphone is open. */
export async function checkSound({ page }: AgentPage): Promise<void> {
  await expect
    .poll(
      async () => {
        const { isShownAsHeard, sent, openMicrophones, call } = await look(page);
        if (isShownAsHeard !== undefined && sent.some((isOn) => isOn !== isShownAsHeard))
          return `heard ${sent.join()} while shown as ${isShownAsHeard}`;
        const isFree = call === 'none' || call === 'ended';
        return isFree && openMicrophones > 0 ? `${openMicrophones} open microphones` : 'right';
      },
      { timeout: SETTLED_MS },
    )
    .toBe('right');
}

/** All dialers have ended their calls. */
export async function checkEnd(
  site: Site,
  way: Way,
  tabs: readonly AgentPage[],
  earlier: readonly Notes[],
): Promise<void> {
  const left = async () => (await site.calls()).filter((call) => isLeft(call, way)).map(nameOf);
  await expect.poll(left, { message: 'calls that the agent has left', timeout: TOLD_MS }).toEqual([]);
  const notes = [...earlier, ...(await Promise.all(tabs.map(({ page }) => readNotes(page))))];
  const wishes = notes.flatMap((each) => each.wishes);
  const told = notes.flatMap((each) => each.told);
  const isThere: IsThere = ({ tab }, number) => {
    const places = told.filter((each) => each.number === number);
    return places.length === 0 || places.some((each) => each.tab === tab);
  };
  const calls = await site.calls();
  expect(notAskedFor(calls, wishes, isThere), 'called, but not asked for').toEqual([]);
  const unasked = calls.filter((call) => isUnasked(call, wishes, isThere));
  expect(unasked.map(nameOf), 'answered without a press').toEqual([]);
  const endedByNobody = calls.filter((call) => isEndedByNobody(call, wishes, way, isThere));
  expect(endedByNobody.map(nameOf), 'ended by nobody').toEqual([]);

  for (const { page } of tabs) await act(page, ['remove']);
  const history = () => site.sandbox<RegistrationRecord[]>('registrations/history');
  const registered = async () => (await history()).filter(({ endedAt }) => endedAt === undefined);
  await expect.poll(registered, { message: 'phones without a dialer', timeout: TOLD_MS }).toEqual([]);
  expect(registeredTwice(await history(), way), 'registered twice at a time').toEqual([]);
  for (const tab of tabs) {
    const { page } = tab;
    await expect.poll(async () => (await look(page)).wrongEnds, { timeout: SETTLED_MS }).toEqual([]);
    await checkSound(tab);
    expect((await look(page)).rejections).toEqual([]);
    const unexpected = tab.consoleOutput.filter(
      (line) => !OF_BROWSER.test(line) && !(way.wasAway && OF_NETWORK.test(line)),
    );
    expect(unexpected).toEqual([]);
  }
}

function nameOf({ direction, number, memberNo, state, endedWith, finalStatus = 0 }: CallRecord): string {
  return `${direction} ${number} of ${memberNo}: ${endedWith ?? state} ${finalStatus}`;
}

function isLeft(
  { state, direction, number, endedWith, startedAt, endedAt = 0 }: CallRecord,
  way: Way,
): boolean {
  // The exchange has noticed that nothing comes any more. Meanwhile, nobody could tell it.
  const couldTell = way.couldTell(endedAt - SILENCE_MS, endedAt);
  // Of a phone whose ringing and answer got lost with the socket, the page knows nothing: its CANCEL comes too late.
  const isKnown = direction === 'incoming' || way.heardOf.has(number);
  const wasAlone = endedWith === 'no-audio' && couldTell && isKnown && !way.wasReloaded(startedAt, endedAt);
  return state !== 'ended' || wasAlone;
}

/** Each request can be the reason of one call, to its number, by the member who was signed in then. */
function notAskedFor(calls: readonly CallRecord[], wishes: readonly Wish[], isThere: IsThere): string[] {
  const requests = wishes.filter((wish) => wish.act === 'dial');
  const missing = calls.filter(({ direction, number, memberNo, startedAt }) => {
    if (direction === 'incoming') return false;
    const index = requests.findIndex(
      (request) =>
        request.number === number &&
        isThere(request, number) &&
        request.at <= startedAt &&
        // Who is not signed in yet may be anybody.
        (request.memberNo ?? memberNo) === memberNo,
    );
    if (index >= 0) requests.splice(index, 1);
    return index < 0;
  });
  return missing.map(nameOf);
}

function isUnasked(
  { direction, answeredAt, endedWith, number }: CallRecord,
  wishes: readonly Wish[],
  isThere: IsThere,
): boolean {
  const isOurs = answeredAt !== undefined && endedWith !== 'answered-elsewhere';
  return direction === 'incoming' && isOurs && !isWished(['answer'], number, wishes, isThere);
}

function isEndedByNobody(call: CallRecord, wishes: readonly Wish[], way: Way, isThere: IsThere): boolean {
  const { direction, number, startedAt, endedAt = Infinity, endedBy, endedWith, finalStatus } = call;
  const isOurs = endedBy === (direction === 'incoming' ? 'callee' : 'caller');
  // The phone was busy, or about to go.
  const isRefused = endedWith === 'response' && finalStatus === 486;
  const isGone = wishes.some(
    (wish) =>
      (wish.act === 'use here' || (/disconnect|remove/.test(wish.act) && isThere(wish, number))) &&
      wish.at > startedAt - LEAVING_MS &&
      wish.at < endedAt,
  );
  // Without a microphone, the SDK itself declines the call that it is told to answer.
  const isUnheard =
    way.lackedMicrophone && finalStatus === 480 && isWished(['answer'], number, wishes, isThere);
  const isReloaded = way.wasReloaded(startedAt - LEAVING_MS, endedAt);
  if (
    !isOurs ||
    isRefused ||
    isGone ||
    isUnheard ||
    isReloaded ||
    !way.wasWhole(startedAt, endedAt + CLOSING_MS)
  )
    return false;
  return !isWished(['hang up', 'reject'], number, wishes, isThere);
}

function isWished(
  acts: readonly string[],
  number: string,
  wishes: readonly Wish[],
  isThere: IsThere,
): boolean {
  return wishes.some((wish) => acts.includes(wish.act) && wish.number === number && isThere(wish, number));
}

/** By how many milliseconds. */
function registeredTwice(registrations: readonly RegistrationRecord[], way: Way): string[] {
  return registrations.flatMap(({ memberNo, endedAt = Infinity, endedWith }, index) => {
    const next = registrations.slice(index + 1).find((later) => later.memberNo === memberNo);
    // Of a socket that was lost with the network, the exchange learns later; of one that stalled, it hears later.
    if (!next || endedAt <= next.since || endedWith === 'socket-closed') return [];
    const hasStalled = way.stalls.some((at) => at > next.since - STALLED_MS && at < endedAt);
    return hasStalled ? [] : `${memberNo}, ${endedWith}: ${endedAt - next.since}`;
  });
}
