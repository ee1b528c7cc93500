/** Nothing left of the client: no registration at the exchange, no audio element in the page. */
import type { Bench } from './bench.ts';
import { eventually } from './wait.ts';

export async function expectUnregistered(bench: Bench): Promise<void> {
  await eventually(async () => (await bench.exchange.registrations()).length === 0, 'no registration');
  await eventually(
    () => bench.page.evaluate(() => document.querySelectorAll('body > audio').length === 0),
    'no audio element left',
  );
}
