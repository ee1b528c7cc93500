/** The switches of the sandbox vendor that the page uses. */
import * as z from 'zod/mini';

export type Scenario = 'ready' | 'no-funds' | 'no-hotline' | 'vendor-down' | 'bad-network';

const sandboxSchema = z.object({ hotlines: z.array(z.object({ number: z.string() })) });

/** VND; a few minutes of talk. */
const COMFORTABLE_BALANCE = 12_500;
/** Percent of the packets, and milliseconds. */
const GOOD_NETWORK = { packetLoss: 0, packetDelay: 0, packetJitter: 0 };
const BAD_NETWORK = { packetLoss: 20, packetDelay: 60, packetJitter: 20 };
const SERVICE_UNAVAILABLE = 503;
const VENDOR_ADDRESSES = [
  '/api/hotline/getAll',
  '/api/sdk/tokenSdk',
  '/api/member/getByMemberNo',
  '/api/member/addMoney',
  '/api/hotline/member/add',
  '/api/sdk/info',
  '/api/sdk/getHotline',
  '/m-cdr/api/call/get-all',
  '/m-auto-call/api/template-script/get-all',
  '/m-auto-call/api/call/create-list-member',
  'socket',
];

/** Makes the vendor so for this member. */
export async function arrange(scenario: Scenario, memberNo: string): Promise<void> {
  await post('/sandbox/faults/clear', {});
  if (scenario === 'vendor-down') {
    const fault = { kind: 'status', value: SERVICE_UNAVAILABLE };
    await Promise.all(VENDOR_ADDRESSES.map((place) => post('/sandbox/faults', { place, ...fault })));
    return;
  }
  const answer = await fetch('/sandbox', { headers: { Accept: 'application/json' } });
  const { hotlines } = sandboxSchema.parse(await answer.json());
  const withoutHotline = scenario === 'no-hotline';
  await post('/sandbox/settings', {
    // Unless the vendor's answer lists the hotlines, the companion trusts what it has assigned itself, or the last list.
    ...(withoutHotline && { hotlineList: 'hotlines' }),
    ...(scenario === 'bad-network' ? BAD_NETWORK : GOOD_NETWORK),
  });
  await post(`/sandbox/members/${memberNo}`, {
    balance: scenario === 'no-funds' ? 0 : COMFORTABLE_BALANCE,
    hotlines: withoutHotline ? [] : hotlines.slice(0, 1).map(({ number }) => number),
  });
}

/** Makes the member's dialer ring; false when it is not connected. */
export async function ringMember(memberNo: string, from: string): Promise<boolean> {
  return (await post('/sandbox/calls', { memberNo, from })).ok;
}

function post(path: string, body: object): Promise<Response> {
  return fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}
