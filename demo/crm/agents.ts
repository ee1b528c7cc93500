/** Choosing the agent: the demo's sign-in, which asks for no password. */
import { AGENTS } from '../sandbox/world/agents.ts';
import { byId, make } from './dom.ts';
import { readStored, store } from './storage.ts';

/**
 * Offers the agents and signs the last one in again, or the first.
 *
 * @param signedIn called with the member's number after each sign-in
 */
export async function offerAgents(signedIn: (memberNo: string) => void): Promise<void> {
  const select = byId('agent', HTMLSelectElement);
  select.replaceChildren(...[...AGENTS].map(([memberNo, name]) => make('option', { value: memberNo }, name)));

  const last = readStored('agent');
  if (last !== undefined && AGENTS.has(last)) select.value = last;
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
