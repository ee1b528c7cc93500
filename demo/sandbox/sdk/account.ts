/** The two HTTP requests of the SDK. Nothing is tried twice: a refused token and an outage look the same to the page. */
import * as z from 'zod/mini';

const accountSchema = z.object({
  isActive: z.optional(z.boolean()),
  domain: z.string(),
  port: z.union([z.number(), z.string()]),
  username: z.string(),
  password: z.string(),
  realm: z.optional(z.string()),
  /** Only the sandbox sends it, to spare the development server a certificate. */
  socketUrl: z.optional(z.string()),
});

const infoSchema = z.object({
  pid: z.optional(z.union([z.number(), z.string()])),
  accounts: z.array(accountSchema),
});

const hotlinesSchema = z.array(
  z.object({ name: z.optional(z.string()), phoneNumber: z.optional(z.string()) }),
);
export type WireHotline = z.infer<typeof hotlinesSchema>[number];

export interface Account {
  /** First part of every number dialled. */
  readonly pid: string;
  readonly username: string;
  readonly password: string;
  readonly realm: string;
  readonly socketUrl: string;
}

/** Rejects on a bad status, a bad envelope and a bad answer alike. */
export async function fetchInfo(base: string, token: string): Promise<z.infer<typeof infoSchema>> {
  const response = await fetch(`${base}/api/sdk/info`, {
    method: 'POST',
    headers: { Authorization: token, 'Content-Type': 'application/json; charset=UTF-8' },
    body: JSON.stringify({ source: 'Website-SDK' }),
  });
  return infoSchema.parse(await openEnvelope(response));
}

/** Without a usable response there are no hotlines, and no error. */
export async function fetchHotlines(base: string, token: string): Promise<readonly WireHotline[]> {
  try {
    const response = await fetch(`${base}/api/sdk/getHotline`, { headers: { Authorization: token } });
    return hotlinesSchema.parse(await openEnvelope(response));
  } catch {
    return [];
  }
}

/** The account to register with: the active one, else the first. */
export function chooseAccount({ pid, accounts }: z.infer<typeof infoSchema>): Account | undefined {
  const account = accounts.find(({ isActive }) => isActive) ?? accounts[0];
  if (!account) return undefined;
  const { domain, port, username, password, realm, socketUrl } = account;
  return {
    pid: String(pid ?? username),
    username,
    password,
    realm: realm ?? domain,
    socketUrl: socketUrl ?? `wss://${domain}:${port}/ws`,
  };
}

const envelopeSchema = z.object({ error: z.literal(0), data: z.unknown() });

async function openEnvelope(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`The SDK API answered ${response.status}`);
  return envelopeSchema.parse(await response.json()).data;
}
