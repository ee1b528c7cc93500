import { expect } from '@open-wc/testing';
import { StatusPoller } from '../../src/dialer/member/status-poller.ts';
import { DialerCallEndEvent } from '../../src/element/events.ts';
import { setClock } from '../support/clock.ts';
import {
  openBlocked,
  openDialer,
  openReady,
  passTime,
  reaches,
  sdk,
  stripsOf,
  talkOn,
  textOf,
} from '../support/dialer.ts';
import { BROKE, memberWith } from '../support/fake-broker.ts';

const HOUR_MS = 3_600_000;
const DOWN = new TypeError('nobody there');

for (const ms of [-HOUR_MS, HOUR_MS]) {
  describe(`a machine whose clock is set ${ms < 0 ? 'back' : 'forward'} by an hour`, () => {
    it('counts a call by how long it lasts', async () => {
      const page = await openReady();
      const { dialer, details } = page;
      await talkOn(dialer);
      await passTime(5000);
      setClock(ms);
      // Half a second from where the display turns.
      await passTime(5500);
      await dialer.updateComplete;
      expect(textOf(dialer)).to.match(/00:1[01]/);
      sdk().end('Cuộc gọi đã kết thúc');
      // A clock that is set forward looks like sleep: the dialer connects again after the call.
      await reaches(dialer, ms < 0 ? 'ended' : 'ready');
      const event = details.get('callend');
      if (!(event instanceof DialerCallEndEvent)) throw new Error('no callend');
      const { startedAt, answeredAt = 0, endedAt, durationMs } = event.detail.call;
      expect(durationMs).to.be.within(10_500, 12_000);
      expect(endedAt - answeredAt).to.equal(durationMs);
      expect(answeredAt).to.be.within(startedAt, endedAt);
      expect(stripsOf(dialer)[0]?.textContent).to.match(/00:1[01]/);
      // The next call has the new time of the day.
      await talkOn(dialer);
      const { call } = dialer.state;
      expect(call.is === 'active' && call.info.startedAt).to.be.within(Date.now() - 2000, Date.now());
    });

    it('says truly when it connects again', async () => {
      const { dialer } = await openDialer({}, { 'POST session': DOWN });
      await reaches(dialer, 'failed');
      setClock(ms);
      await passTime(1000);
      await dialer.updateComplete;
      expect(textOf(dialer)).to.match(/in [1-4] s/);
    });

    it('asks whether there is money again as soon as somebody is back', async () => {
      const { broker } = await openBlocked(memberWith(BROKE));
      await passTime(12_000);
      dispatchEvent(new Event('focus'));
      await passTime(0);
      setClock(ms);
      const before = broker.count('GET status');
      await passTime(11_000);
      dispatchEvent(new Event('focus'));
      await passTime(0);
      expect(broker.count('GET status')).to.be.above(before);
    });

    it('is not polled any later', async () => {
      let polls = 0;
      const poller = new StatusPoller(async () => (polls += 1) > 0);
      const end = new AbortController();
      poller.begin(end.signal);
      setClock(ms);
      poller.begin(end.signal, 0);
      await passTime(10);
      end.abort();
      expect(polls).to.equal(1);
    });
  });
}
