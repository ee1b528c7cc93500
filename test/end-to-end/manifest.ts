/** What `custom-elements.json` says of `<partner-dialer>`. */
import { readFile } from 'node:fs/promises';
import * as z from 'zod';

const named = z.array(z.object({ name: z.string() }));
const dialer = z.object({
  tagName: z.literal('partner-dialer'),
  events: named,
  cssParts: named,
  cssProperties: named,
});
const file = z.object({ modules: z.array(z.object({ declarations: z.array(z.unknown()) })) });

const { modules } = file.parse(
  JSON.parse(await readFile(new URL('../../custom-elements.json', import.meta.url), 'utf8')),
);
const [found] = modules.flatMap(({ declarations }) =>
  declarations.flatMap((one) => dialer.safeParse(one).data ?? []),
);
if (!found) throw new Error('custom-elements.json has no <partner-dialer>.');
export const manifest = found;
