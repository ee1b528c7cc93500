/** The soak run breaks the dialer in each of these ways, which has to be possible still. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BREAKAGES, placesOf } from '../model/breakages.ts';

test('each breakage finds what it is to break, once', () => {
  const lost = BREAKAGES.filter((breakage) => placesOf(breakage) !== 1);
  assert.deepEqual(
    lost.map(({ title }) => title),
    [],
  );
});
