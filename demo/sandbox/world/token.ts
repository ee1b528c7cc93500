/** A token for the SDK. */
import { randomBytes, randomUUID } from 'node:crypto';

/** Opaque to everybody but this sandbox, though shaped like a JWT. */
export function mintToken(): string {
  return [
    encode({ alg: 'HS256', typ: 'JWT' }),
    encode({ Value: randomUUID() }),
    randomBytes(32).toString('base64url'),
  ].join('.');
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
