/** What has to hold of a walk: of each call, of the exchange, and once everything is well again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallRecord, RegistrationRecord } from '../../../demo/sandbox/world/records.ts';
import { eventually } from '../../end-to-end/eventually.ts';
import type { Seen } from './recorder.ts';
import type { Tab, Walker } from './step.ts';
import { makeWell } from './surroundings.ts';

/** Between what a page is told and what the exchange knows, in milliseconds. */
const GRACE_MS = 2500;
/** Longer than any promise of the dialer may take. */
const WELL_MS = 100_000;
const LIVE = ['dialing', 'incoming', 'active'];

/** @param ends when something happened that may end a call; grows by what is ended here */
export async function judge(walker: Walker, since: number, ends: number[]): Promise<string[]> {
  const { site, tabs } = walker;
  await site.sandbox('faults/clear', {});
  await site.sandbox('members/agent001', { balance: 50_000, hotlines: ['842899990001'] });
  for (const { agent } of tabs) {
    ends.push(Date.now());
    await makeWell(agent.page);
  }
  await sleep(GRACE_MS);
  const found = await agreement(walker, since);
  for (const tab of tabs) {
    // Again, as a listener may have placed another one.
    await eventually(() => isIdleAfterHangUp(tab, ends), 'the end of the last call', WELL_MS);
  }
  for (const { recorder } of tabs) await recorder.ask([['connect'], ['recheck']]);
  const phone = await eventually(() => findPhone(tabs), 'a tab that is ready again', WELL_MS);
  await sleep(GRACE_MS);
  found.push(...(await atRest(walker, since)));
  for (const { recorder, agent } of tabs) {
    found.push(...callsOf(recorder.seen), ...endsOf(recorder.seen, ends));
    found.push(...(await agent.errors()).map((error) => `thrown into the page: ${error}`));
    await eventually(
      async () => (await recorder.pending()).length === 0,
      'the end of each promise',
      WELL_MS,
    ).catch(async () => found.push(`never settled: ${(await recorder.pending()).join()}`));
  }
  await proveWell(phone);
  return found;
}

async function isIdleAfterHangUp(tab: Tab, ends: number[]): Promise<boolean> {
  if (!(await isBusy(tab))) return true;
  ends.push(Date.now());
  await tab.recorder.ask([['hangUp']]);
  return false;
}

async function isBusy({ recorder }: Tab): Promise<boolean> {
  return ['placing', ...LIVE].includes((await recorder.state()).call);
}

/** One tab has the phone, the others say so. */
async function findPhone(tabs: readonly Tab[]): Promise<Tab | undefined> {
  const states = await Promise.all(tabs.map(({ recorder }) => recorder.state()));
  const ready = states.filter(({ status }) => status === 'ready' || status === 'ended');
  const isOne =
    ready.length === 1 && states.filter(({ status }) => status === 'blocked').length === tabs.length - 1;
  return isOne ? tabs[states.findIndex((state) => state === ready[0])] : undefined;
}

async function proveWell({ recorder }: Tab): Promise<void> {
  const { length } = recorder.seen;
  await recorder.ask([['call', '0900000200']]);
  // A listener may hang up at once.
  const isConnected = () => recorder.seen.slice(length).some(({ what }) => what === 'dialer-callconnect');
  await eventually(async () => isConnected(), 'a call after all', 15_000);
  await recorder.ask([['hangUp']]);
  await eventually(async () => (await recorder.state()).call !== 'active', 'its end', 15_000);
}

/** The dialer and the exchange know of the same call. */
async function agreement({ site, tabs }: Walker, since: number): Promise<string[]> {
  const states = await Promise.all(tabs.map(({ recorder }) => recorder.state()));
  const open = (await site.calls()).filter((call) => call.startedAt >= since && call.state !== 'ended');
  const live = states.filter(({ call }) => LIVE.includes(call));
  const found: string[] = [];
  if (open.length > 1) found.push(`${open.length} calls at the exchange`);
  if (live.length > 1) found.push(`${live.length} tabs with a call`);
  const isPlacing = states.some(({ call }) => call === 'placing');
  if (open.length > 0 && live.length === 0 && !isPlacing)
    found.push(`only the exchange has a call: ${open[0]?.state}`);
  if (live[0]?.call === 'active' && open[0]?.state !== 'answered')
    found.push(`the dialer is in a call, the exchange: ${open[0]?.state ?? 'none'}`);
  return found;
}

async function atRest({ site, tabs }: Walker, since: number): Promise<string[]> {
  const found: string[] = [];
  const now = await site.sandbox<unknown[]>('registrations');
  if (now.length !== 1) found.push(`${now.length} registrations at rest`);
  const calls = await site.calls();
  const open = calls.filter((call: CallRecord) => call.startedAt >= since && call.state !== 'ended');
  if (open.length > 0) found.push(`at rest the exchange has a call: ${open[0]?.state} ${open[0]?.direction}`);
  for (const { recorder } of tabs) {
    const tracks = await recorder.liveTracks();
    if (tracks > 0) found.push(`at rest ${tracks} microphone tracks are live`);
  }
  const all = await site.sandbox<RegistrationRecord[]>('registrations/history');
  const some = all.filter((one) => one.since >= since).toSorted((one, other) => one.since - other.since);
  for (const [index, { endedAt, endedWith }] of some.slice(0, -1).entries()) {
    // What a tab that is gone could not end is noticed later.
    const isLate = (endedAt ?? Infinity) > (some[index + 1]?.since ?? 0);
    if (isLate && endedWith !== 'socket-closed') found.push('two registrations at a time');
  }
  return found;
}

/** Each call that began has one end, and fails at most once before it. */
function callsOf(seen: readonly Seen[]): string[] {
  const found: string[] = [];
  const ids = new Set(seen.flatMap(({ id }) => (id === undefined ? [] : [id])));
  for (const id of ids) {
    const events = seen.filter((one) => one.id === id).map(({ what }) => what.replace('dialer-', ''));
    const last = seen.findLastIndex((one) => one.id === id);
    if (!events.includes('callend') && seen.slice(last).some(({ what }) => what === 'left')) continue;
    const isRight = /^(callstart|callincoming)( callconnect)?( callfail)?( callend)$/.test(events.join(' '));
    if (!isRight) found.push(`a call with the events ${events.join(' ')}`);
    const outcome = seen.find((one) => one.id === id && one.what === 'dialer-callend')?.outcome;
    if (outcome !== undefined && events.includes('callconnect') !== (outcome === 'answered'))
      found.push(`a call with the events ${events.join(' ')} ended as ${outcome}`);
  }
  for (const { what, status } of seen) {
    if (what === 'dialer-ready' && status !== 'ready' && status !== 'ended')
      found.push(`dialer-ready while ${status}`);
    if (what === 'dialer-callend' && status === 'in-call') found.push('callend while in call');
  }
  return found;
}

/** A call that is talked on ends only by what may end a call. */
function endsOf(seen: readonly Seen[], ends: readonly number[]): string[] {
  const found: string[] = [];
  for (const { at, what, id } of seen) {
    if (what !== 'dialer-callconnect') continue;
    const end = seen.find((one) => one.id === id && one.what === 'dialer-callend');
    if (!end) continue;
    const isEnded = ends.some((time) => time >= at - GRACE_MS && time <= end.at + 50);
    const isChosen = isEnded || seen.some((one) => one.what === 'hangUp()' && Math.abs(one.at - end.at) < 50);
    if (!isChosen) found.push(`a call ended by itself after ${end.at - at} ms`);
  }
  return found;
}
