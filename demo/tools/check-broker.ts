/** `npm run check-broker -- URL`: checks that a broker, in whatever language, does what the dialer and its users rely on. */
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { checkBroker, whyNoAnswer, type Verdict } from './broker-checks.ts';

const USAGE = `Usage: npm run check-broker -- URL --header 'Cookie: …' [--origin ORIGIN] [--json]

  URL                    what the dialer's broker-url is, e.g. https://crm.example/dialer/session
  --header 'Name: value' the header that signs in an agent (cookie or token); can be repeated
  --origin ORIGIN        another origin whose pages the broker should allow
  --json                 prints the results as JSON

It requests about fifteen sessions, a top-up and a hotline for that agent, so use a test agent.
Exit: 0 nothing fails; 1 something fails; 2 bad input; 4 the broker cannot be reached.`;

const EXIT_BAD_INPUT = 2;
const EXIT_UNREACHABLE = 4;
const SIGNS = { pass: '✔', fail: '✖', warn: '⚠', skip: '–' } as const;

export async function run(args: string[]): Promise<number> {
  const order = readOrder(args);
  if (!order) {
    console.error(USAGE);
    return EXIT_BAD_INPUT;
  }
  try {
    const verdicts = await checkBroker(order);
    console.log(order.json ? JSON.stringify(verdicts, undefined, 2) : verdicts.map(describe).join('\n'));
    return verdicts.some(({ result }) => result === 'fail') ? 1 : 0;
  } catch (error) {
    console.error(`${order.url} cannot be reached: ${whyNoAnswer(error)}`);
    return EXIT_UNREACHABLE;
  }
}

function describe({ name, result, detail }: Verdict): string {
  return `${SIGNS[result]} ${name}${detail && `: ${detail}`}`;
}

function readOrder(args: string[]) {
  const options = {
    header: { type: 'string', multiple: true, default: [] as string[] },
    origin: { type: 'string' },
    json: { type: 'boolean', default: false },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [url = ''] = positionals;
    if (positionals.length !== 1 || !/^https?:/.test(url) || !URL.canParse(url)) return undefined;
    const signedIn = Object.fromEntries(values.header.map(splitHeader));
    return { url, signedIn, origin: values.origin, json: values.json };
  } catch {
    return undefined;
  }
}

function splitHeader(text: string): [string, string] {
  const at = text.indexOf(':');
  if (at < 1) throw new TypeError(`${text} is not a header`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = await run(process.argv.slice(2));
}
