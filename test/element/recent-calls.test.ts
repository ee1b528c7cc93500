/** `recent-calls="off"`: nothing of a call stays in the browser. */
import { expect } from '@open-wc/testing';
import { openReady, reaches, ringOn, settled, talkOn, textOf, until } from '../support/dialer.ts';
import { MEMBER, memberWith } from '../support/fake-broker.ts';

const stored = (memberNo: string) => Object.keys(localStorage).filter((key) => key.includes(memberNo));

describe('the recent calls that a page switches off', () => {
  it('are neither listed nor stored, and those stored before are deleted', async () => {
    const memberNo = `agent-${crypto.randomUUID()}`;
    const member = memberWith({ member: { ...MEMBER, memberNo } });
    const before = await openReady({}, member);
    await talkOn(before.dialer);
    await settled(before.dialer.hangUp());
    await until(() => stored(memberNo).length > 0, 'the stored call');
    await before.close();
    const { dialer } = await openReady({ 'recent-calls': 'off' }, member);
    await until(() => stored(memberNo).length === 0, 'nothing stored');
    await ringOn(dialer);
    await settled(dialer.reject());
    await reaches(dialer, 'ended');
    expect(stored(memberNo)).to.deep.equal([]);
    expect(textOf(dialer)).not.to.contain('Recent');
    expect(dialer.supportDetails()).not.to.contain('0987');
    dialer.recentCalls = 'on';
    await dialer.updateComplete;
    expect(textOf(dialer)).to.contain('Recent');
    dialer.recentCalls = 'off';
    await dialer.updateComplete;
    expect(textOf(dialer)).not.to.contain('Recent');
  });
});
