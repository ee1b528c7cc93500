/** The demo's log of events. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEvent } from '../../../demo/crm/event-words.ts';
import type { DialerEventMap, DialerState } from '../../../src/index.ts';

test('the log names every part of the state that has changed', () => {
  const previous: DialerState = {
    status: 'connecting',
    canCall: false,
    line: { is: 'connecting' },
    block: { is: 'none' },
    call: { is: 'none' },
    hotlines: [],
  };
  const write = (change: Partial<DialerState>) => {
    const detail = { state: { ...previous, ...change }, previous };
    return describeEvent('dialer-statechange', { detail } as DialerEventMap['dialer-statechange']);
  };
  assert.equal(write({ owner: 'agent001', hotlines: [] }), 'connecting · hotlines, owner');
  assert.equal(write({ status: 'ready', canCall: true }), 'connecting → ready');
});
