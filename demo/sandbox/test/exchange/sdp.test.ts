/** What the exchange reads and rewrites in session descriptions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerAgain, readDirection, restartsTransport } from '../../exchange/sdp.ts';

const AGREED = 'v=0\r\no=- 77 0 IN IP4 0.0.0.0\r\na=ice-ufrag:abcd\r\na=sendrecv\r\n';

test('a later answer mirrors the direction and counts up the version', () => {
  const offer = AGREED.replace('sendrecv', 'sendonly');
  assert.equal(readDirection(offer), 'sendonly');
  const answer = answerAgain(AGREED, offer, 3);
  assert.match(answer, /^a=recvonly/m);
  assert.match(answer, /^o=- 77 3 IN/m);
});

test('a description without a direction means both ways', () => {
  assert.equal(readDirection('v=0\r\n'), 'sendrecv');
});

test('a new ICE user is a new transport', () => {
  assert.equal(restartsTransport(AGREED, AGREED), false);
  assert.equal(restartsTransport(AGREED.replace('abcd', 'efgh'), AGREED), true);
});
