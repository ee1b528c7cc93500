/** Choosing the agent: the demo's sign-in, which asks for no password. */
import * as z from 'zod/mini';
import { byId, make } from './dom.ts';
import { readStored, store } from './storage.ts';

const agentsSchema = z.array(z.object({ memberNo: z.string(), name: z.string() }));

/**
 * Offers the agents and signs the last one in again, or the first.
 *
 * @param signedIn called with the member's number after each sign-in
 */
export async function offerAgents(signedIn: (memberNo: string) => void): Promise<void> {
  const select = byId('agent', HTMLSelectElement);
  const answer = await fetch('/login');
  const agents = agentsSchema.parse(await answer.json());
  select.replaceChildren(...agents.map(({ memberNo, name }) => make('option', { value: memberNo }, name)));

  const last = readStored('agent');
  if (agents.some(({ memberNo }) => memberNo === last)) select.value = last ?? '';
  const signIn = async () => {
    const memberNo = select.value;
    await fetch('/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ memberNo }),
    });
    store('agent', memberNo);
    signedIn(memberNo);
  };
  select.addEventListener('change', () => void signIn());
  await signIn();
}
