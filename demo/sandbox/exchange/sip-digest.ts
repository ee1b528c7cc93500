/** HTTP digest as SIP uses it (RFC 2617, MD5): a challenge, and whether an answer to it is right. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { REALM } from '../world/sip-account.ts';

const secret = randomBytes(32);

/** The challenge for one dialog of registration; nothing is kept, as its nonce follows from the Call-ID. */
export function challenge(callId: string): string {
  return `Digest realm="${REALM}", nonce="${nonceFor(callId)}", algorithm=MD5, qop="auth"`;
}

/** The user named in an `Authorization` header, not yet authenticated; undefined: it names none. */
export function claimedUser(header: string | undefined): string | undefined {
  return header === undefined ? undefined : readDigest(header).get('username');
}

/** Whether the header answers the challenge of this Call-ID with the right password. */
export function isAuthorized(header: string, callId: string, method: string, password: string): boolean {
  const given = readDigest(header);
  const part = (name: string) => given.get(name) ?? '';
  if (part('nonce') !== nonceFor(callId)) return false;
  const identity = md5(`${part('username')}:${REALM}:${password}`);
  const action = md5(`${method}:${part('uri')}`);
  const expected =
    part('qop') === 'auth'
      ? md5(`${identity}:${part('nonce')}:${part('nc')}:${part('cnonce')}:auth:${action}`)
      : md5(`${identity}:${part('nonce')}:${action}`);
  const response = Buffer.from(part('response'));
  return response.length === expected.length && timingSafeEqual(response, Buffer.from(expected));
}

function nonceFor(callId: string): string {
  return createHmac('sha256', secret).update(callId).digest('hex').slice(0, 32);
}

function readDigest(header: string): Map<string, string> {
  const parts = header.matchAll(/(\w+)=(?:"([^"]*)"|([^,\s]+))/g);
  return new Map([...parts].map(([, name = '', quoted, bare]) => [name.toLowerCase(), quoted ?? bare ?? '']));
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
