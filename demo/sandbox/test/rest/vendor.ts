/** The sandbox's REST side in this process, asked as a partner's backend asks it. */
import type { TestContext } from 'node:test';
import { createSandbox, type Sandbox } from '../../sandbox.ts';
import type { CallRecord } from '../../world/world.ts';

export interface Envelope<T = unknown> {
  readonly error: number;
  readonly message: string;
  readonly data: T;
}

export interface Vendor {
  readonly sandbox: Sandbox;
  readonly world: Sandbox['world'];
  get<T = unknown>(path: string, query?: Readonly<Record<string, string>>): Promise<Envelope<T>>;
  post<T = unknown>(path: string, body: unknown): Promise<Envelope<T>>;
  /** With headers of one's own. */
  fetch(path: string, init: RequestInit): Promise<Response>;
}

export function startVendor(t: Pick<TestContext, 'after'>, stateFile?: string): Vendor {
  const sandbox = createSandbox({ stateFile });
  t.after(() => sandbox.close());
  const fetch = async (path: string, init: RequestInit) =>
    sandbox.fetch(new Request(`http://vendor.invalid/vendor/v3.0${path}`, init));
  const ask = async (path: string, init: RequestInit) => {
    const headers = { 'X-API-Key': 'sandbox-api-key', 'Content-Type': 'application/json' };
    return (await (await fetch(path, { ...init, headers })).json()) as Envelope<never>;
  };
  return {
    sandbox,
    world: sandbox.world,
    get: (path, query = {}) => ask(`${path}?${new URLSearchParams(query).toString()}`, {}),
    fetch,
    post: (path, body) => ask(path, { method: 'POST', body: JSON.stringify(body) }),
  };
}

interface ListedCustomer {
  readonly create_at: number;
  readonly customer_field_items: readonly { readonly code: string; readonly value: string }[];
}

/** The codes of the customers that are found, in the order of the list. */
export async function codesFound(
  { post }: Vendor,
  field_search: unknown,
  paging: object = {},
): Promise<readonly (string | undefined)[]> {
  const { data } = await post<readonly ListedCustomer[]>('/api/customer/get-all', {
    page: 0,
    size: 50,
    ...paging,
    field_search,
  });
  return data.map((customer) => readValue(customer, 'customer_code'));
}

export function readValue({ customer_field_items }: ListedCustomer, code: string): string | undefined {
  return customer_field_items.find((item) => item.code === code)?.value;
}

/** A call out that was answered, but for what is given. */
export function endedCall(facts: Partial<CallRecord>): CallRecord {
  return {
    id: 'c1',
    memberNo: 'agent001',
    direction: 'outgoing',
    number: '0900000200',
    hotline: '842899990001',
    externalCallId: undefined,
    state: 'ended',
    finalStatus: 200,
    endedBy: 'caller',
    endedWith: 'BYE',
    startedAt: 1_000_000,
    answeredAt: 1_002_000,
    endedAt: 1_012_000,
    dtmf: '',
    audioPackets: 500,
    audioBytes: 80_000,
    loudPackets: 500,
    quality: undefined,
    isHeld: false,
    cost: 300,
    ...facts,
  };
}
