/** Who may call, and from which hotline. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalFor } from '../../exchange/outgoing.ts';
import { World } from '../../world/world.ts';

test('a member calls from a hotline of their own with a balance, and reads 402, 406 or 415 otherwise', () => {
  const world = new World();
  const member = world.createMember('agent001', ['HL_SALES']);
  assert.equal(refusalFor(world, member, '842899990001'), 402);
  world.setBalance(member, 1000);
  assert.equal(refusalFor(world, member, '842899990001'), undefined);
  assert.equal(refusalFor(world, member, undefined), undefined);
  assert.equal(refusalFor(world, member, '842899990002'), 415);
  world.setHotlines(world.hotlines.map((hotline) => ({ ...hotline, active: false })));
  assert.equal(refusalFor(world, member, '842899990001'), 406);
});
