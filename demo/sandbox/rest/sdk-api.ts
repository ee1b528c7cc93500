/** The two endpoints of the SDK itself, authorised by its token: its telephone account and its hotlines. */
import { Hono, type Context } from 'hono';
import { PROJECT_ID, REALM, SOCKET_PATH, type SocketAddress } from '../world/sip-account.ts';
import type { Member, World } from '../world/world.ts';
import { faultMiddleware, openCors, type VendorEnv } from './faults.ts';

export interface SdkApiOptions {
  /** The TLS listener, once it is open; the vendor's own SDK connects over `wss:` only. */
  readonly secureSocket?: () => SocketAddress | undefined;
}

/** The app to mount at the version segment of the base address, e.g. `/vendor/v3.0`. */
export function createSdkApi(world: World, { secureSocket }: SdkApiOptions = {}): Hono<VendorEnv> {
  const app = new Hono<VendorEnv>();
  // Set for each route, not for the prefix, which the partner's API shares: a fault counts once for each request.
  const middleware = [openCors(), faultMiddleware(world)] as const;
  app.options('/api/sdk/info', openCors());
  app.options('/api/sdk/getHotline', openCors());

  app.post('/api/sdk/info', ...middleware, (context) => {
    const member = readMember(world, context);
    if (member === undefined) return refuse(context);
    const socket = secureSocket?.() ?? sameServer(context.req.url);
    return context.json({ error: 0, message: 'success', data: describeAccount(member, socket) });
  });

  app.get('/api/sdk/getHotline', ...middleware, (context) => {
    const member = readMember(world, context);
    if (member === undefined) return refuse(context);
    const data = world.callableHotlines(member).map(({ name, number }) => ({ name, phoneNumber: number }));
    return context.json({ error: 0, message: 'success', data });
  });

  return app;
}

function describeAccount(member: Member, { domain, port, secure }: SocketAddress): object {
  return {
    pid: PROJECT_ID,
    accounts: [
      {
        isActive: true,
        domain,
        port,
        username: member.sipUser,
        password: member.sipPassword,
        realm: REALM,
        // Not in the vendor's answer: its SDK always builds a wss: address, while the stand-in follows this one.
        socketUrl: `${secure ? 'wss' : 'ws'}://${domain}:${port}${SOCKET_PATH}`,
      },
    ],
  };
}

/** The token comes bare, without a scheme in front of it. */
function readMember(world: World, context: Context<VendorEnv>): Member | undefined {
  return world.memberByToken(context.req.header('Authorization') ?? '');
}

function refuse(context: Context<VendorEnv>): Response {
  return context.json({ error: 401, message: 'Unauthorized', data: null });
}

function sameServer(requestUrl: string): SocketAddress {
  const { hostname, port, protocol } = new URL(requestUrl);
  const secure = protocol === 'https:';
  return { domain: hostname, port: Number(port) || (secure ? 443 : 80), secure };
}
