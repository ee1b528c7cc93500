/** A second listener of the exchange, with TLS: the vendor's own SDK opens its socket over `wss:` only. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import type { SocketAddress } from '../world/sip-account.ts';
import type { Exchange } from './exchange.ts';

const LOOPBACK = '127.0.0.1';

export interface SecureListener {
  readonly address: SocketAddress;
  /** Takes no new sockets; those that are open belong to the exchange. */
  close(): void;
}

/** Made when first needed, and for this process alone: a pair of keys takes a tenth of a second of computing. */
let certificate: ReturnType<typeof makeCertificate> | undefined;

function makeCertificate() {
  return generate([{ name: 'commonName', value: LOOPBACK }], {
    algorithm: 'sha256',
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 7, ip: LOOPBACK },
          { type: 2, value: 'localhost' },
        ],
      },
    ],
  });
}

/**
 * Listens on a free port of the loopback interface. The certificate is self-signed, so the browser has to be told to
 * accept it (visit the port once, or start it with certificate errors ignored).
 */
export async function openSecureListener(exchange: Exchange): Promise<SecureListener> {
  const { private: key, cert } = await (certificate ??= makeCertificate());
  const server = createServer({ key, cert }, (_request, response) => {
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.end('The certificate is accepted. Close this tab and connect the dialer again.\n');
  });
  const detach = exchange.attach(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: { domain: LOOPBACK, port, secure: true },
    close: () => {
      detach();
      server.close();
      server.closeAllConnections();
    },
  };
}
