/** Choosing the agent: the demo's sign-in, which asks for no password. */
import { AGENTS } from '../sandbox/world/agents.ts';
import { byId, make } from './dom.ts';
import { readStored, store } from './storage.ts';

/**
 * Offers the agents and signs the last one in again, or the first.
 *
 * @param signedIn called after each sign-in
 * @param failed called when the server did not sign the chosen agent in; whoever was signed in still is
 */
export async function offerAgents(signedIn: () => void, failed: () => void): Promise<void> {
  const select = byId('agent', HTMLSelectElement);
  select.replaceChildren(...[...AGENTS].map(([memberNo, name]) => make('option', { value: memberNo }, name)));

  const last = readStored('agent');
  if (last !== undefined && AGENTS.has(last)) select.value = last;
  let current = select.value;
  const signIn = async () => {
    const memberNo = select.value;
    const answer = await fetch('/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ memberNo }),
    }).catch(() => undefined);
    if (!answer?.ok) {
      select.value = current;
      return failed();
    }
    current = memberNo;
    store('agent', memberNo);
    signedIn();
  };
  select.addEventListener('change', () => void signIn());
  await signIn();
}
