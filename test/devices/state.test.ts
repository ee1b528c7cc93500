import { expect } from '@open-wc/testing';
import {
  INITIAL_DEVICES,
  moveDevices,
  ringerIds,
  SYSTEM_DEVICE,
  usedId,
  withRinger,
  type Device,
  type DeviceList,
  type DevicesState,
} from '../../src/devices/state.ts';

const builtIn = { id: '1', label: 'Built-in' };
const headset = { id: '2', label: 'Headset' };
const other = { id: '3', label: 'Other' };

const listOf = (...all: readonly Device[]): DeviceList => ({
  microphone: { all, preferred: all[0] },
  speaker: { all, preferred: all[0] },
});

function after(...lists: readonly (DeviceList | undefined)[]): DevicesState {
  return lists.reduce<DevicesState>(
    (state, list) => moveDevices(state, { type: 'listed', list }),
    moveDevices(INITIAL_DEVICES, {
      type: 'chosen',
      choice: { microphone: headset, speaker: SYSTEM_DEVICE, ringers: [SYSTEM_DEVICE] },
    }),
  );
}

const microphone = (state: DevicesState) => usedId(state, 'microphone', state.choice.microphone);

describe('a chosen device', () => {
  it('is asked for by its id where the browser hides the devices', () => {
    expect(microphone(after(listOf(builtIn), undefined))).to.equal('2');
  });
});

describe('an agent is told', () => {
  it('of the system’s device, too, where nothing was chosen', () => {
    const { notice } = after(listOf(builtIn, other), listOf(other));
    expect(notice?.label).to.equal('Built-in');
    expect(notice?.now).to.equal('Other');
  });

  it('nothing of the first list, of new ids, of a device that nobody uses, and of a browser that hides all', () => {
    const rotated = [builtIn, headset].map((device) => ({ ...device, id: `${device.id}b` }));
    for (const lists of [
      [listOf(builtIn, headset)],
      [listOf(builtIn, headset), listOf(...rotated)],
      [listOf(builtIn, headset, other), listOf(builtIn, headset)],
      [listOf(builtIn, headset), undefined],
      [undefined, listOf(builtIn, headset)],
    ])
      expect(after(...lists).notice).to.equal(undefined);
  });
});

const ringing = (ringers: readonly Device[]) =>
  moveDevices(after(listOf(builtIn, headset)), {
    type: 'chosen',
    choice: { microphone: SYSTEM_DEVICE, speaker: SYSTEM_DEVICE, ringers },
  });

describe('the ringing', () => {
  it('is on all chosen devices; one that is gone rings on the system’s', () => {
    expect(ringerIds(ringing([builtIn, headset]))).to.deep.equal(['1', '2']);
    expect(ringerIds(ringing([other]))).to.deep.equal(['']);
    expect(ringerIds(ringing([SYSTEM_DEVICE, other]))).to.deep.equal(['']);
  });

  it('is never on no device at all', () => {
    expect(withRinger([headset], headset, false)).to.deep.equal([SYSTEM_DEVICE]);
    expect(withRinger([SYSTEM_DEVICE], headset, true)).to.deep.equal([SYSTEM_DEVICE, headset]);
    expect(withRinger([headset], headset, true)).to.deep.equal([headset]);
  });
});
