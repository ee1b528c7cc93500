/** The soak run breaks the dialer in each of these ways; code that has changed since would make it break nothing. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BREAKAGES } from '../model/breakages.ts';

test('each breakage finds what it is to break, once', () => {
  const places = BREAKAGES.map(({ file, find }) => readFileSync(file, 'utf8').split(find).length - 1);
  assert.deepEqual(
    BREAKAGES.filter((_, index) => places[index] !== 1).map(({ title }) => title),
    [],
  );
});
