/** What a dialer needs to reach the exchange: issued by the REST side, checked by the exchange. */

/** The vendor's number for the project; the SDK puts it between hotline and number. */
export const PROJECT_ID = 9001;

/** Realm of the digest authentication, and the domain of every SIP address. */
export const REALM = 'sandbox.invalid';

/** Where the SIP WebSocket is served. */
export const SOCKET_PATH = '/ws';

/** Where the SDK is to open its socket. */
export interface SocketAddress {
  readonly domain: string;
  readonly port: number;
  readonly secure: boolean;
}
