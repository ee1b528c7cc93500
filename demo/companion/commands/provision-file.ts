/** `provision --file`: many members, a few at a time, with one line of result each. */
import { readFileSync } from 'node:fs';
import type { TopUpReason } from '../money/movement.ts';
import { findBlockers, provision, type Dependencies, type Step } from '../provision.ts';
import { memberNoSchema, type MemberNo, type OpenApi } from '../vbot/api.ts';
import { VendorError } from '../vbot/errors.ts';
import { EXIT, InputError, type Terminal } from './terminal.ts';

export interface MemberRow {
  readonly memberNo: MemberNo;
  /** The code of a hotline of their own. */
  readonly hotline: string | undefined;
}

type Result = Awaited<ReturnType<typeof provisionRow>>;

/** Members at once: the agents who sign in meanwhile need the vendor, too. */
const AT_ONCE = 4;
const SEVERAL = 4;

/** @throws {InputError} that names every line that makes no sense: then nobody is provisioned */
export function readMembers(file: string): MemberRow[] {
  const lines = readText(file)
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  const mistakes: string[] = [];
  const rows: MemberRow[] = [];
  let hasHeader = false;
  for (const [index, line] of lines.entries()) {
    const [member = '', hotline = '', ...more] = line
      .split(/[,;\t]/)
      .map((part) => part.trim().replaceAll(/^"|"$/g, ''));
    const { data } = memberNoSchema.safeParse(member);
    if (member === '' || member.startsWith('#')) continue;
    if (/^member_?no$/i.test(member)) hasHeader ||= rows.length === 0;
    else if (data !== undefined && more.every((part) => part === ''))
      rows.push({ memberNo: data, hotline: hotline || undefined });
    else
      mistakes.push(
        `line ${index + 1}: expected MEMBER_NO[,HOTLINE_CODE]; a MEMBER_NO contains only a-z, A-Z and 0-9`,
      );
  }
  const [first, ...others] = rows;
  if (first && !hasHeader && !hasDigit(first) && others.some(hasDigit))
    mistakes.push(
      `${first.memberNo} seems to be a header, not a member: put the line MEMBER_NO in its place, or above it`,
    );
  if (mistakes.length > 0) throw new InputError(`${file}:\n  ${mistakes.join('\n  ')}`);
  if (rows.length === 0) throw new InputError(`${file} has no members.`);
  return rows;
}

function hasDigit({ memberNo }: MemberRow): boolean {
  return /\d/.test(memberNo);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new InputError(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Stops if the vendor is down. In the next run, a member who is already provisioned takes at most two requests. */
export async function provisionFile(
  rows: readonly MemberRow[],
  dependencies: Dependencies,
  reason: TopUpReason,
  isJson: boolean,
  { out, err }: Terminal,
): Promise<number> {
  const waiting = [...rows];
  /** The last members, if the vendor did not respond for them. One alone may be a special case; after several, it is down. */
  const unanswered: Result[] = [];
  let exit = 0;
  let end: string | undefined;
  const tell = (result: Result) => {
    if (!result.canCall) exit = EXIT.cannotCall;
    out(isJson ? JSON.stringify(result) : describe(result));
  };
  const provisionNext = async (): Promise<void> => {
    const row = end === undefined ? waiting.shift() : undefined;
    if (!row) return undefined;
    try {
      const result = await provisionRow(row, dependencies, reason);
      [...unanswered.splice(0), result].forEach(tell);
    } catch (error) {
      if (!(error instanceof VendorError)) throw error;
      const result = { memberNo: row.memberNo, canCall: false, blockers: [], details: [error.message] };
      const trouble = await findTrouble(error, dependencies.vendor);
      if (trouble) {
        waiting.push(row);
        end ??= trouble.message;
      } else if (error.code !== 'unreachable') {
        [...unanswered.splice(0), result].forEach(tell);
      } else if (unanswered.push(result) >= Math.min(SEVERAL, rows.length)) {
        end ??= `${error.message} The same happened for ${unanswered.map(({ memberNo }) => memberNo).join(', ')}.`;
      }
    }
    return provisionNext();
  };
  const stop = () => void (end ??= 'Interrupted.');
  process.on('SIGTERM', stop).on('SIGINT', stop);
  await Promise.all(Array.from({ length: AT_ONCE }, provisionNext)).finally(() =>
    process.off('SIGTERM', stop).off('SIGINT', stop),
  );
  if (end === undefined) {
    unanswered.forEach(tell);
    return exit;
  }
  const left = waiting.length + unanswered.length;
  err(
    `${end} ${left} of ${rows.length} members were not provisioned: run the command again with the same file.`,
  );
  return EXIT.unreachable;
}

/** @throws {VendorError} */
async function provisionRow(
  { memberNo, hotline }: MemberRow,
  dependencies: Dependencies,
  reason: TopUpReason,
) {
  const steps: Step[] = [];
  const own = { ...dependencies, orderedHotline: hotline ?? dependencies.orderedHotline };
  const blockers = findBlockers(await provision(memberNo, own, reason, (step) => void steps.push(step)));
  const details = steps.filter(isTold).map(({ detail }) => detail);
  /** `details`: what was done, or why not. */
  return { memberNo, canCall: blockers.length === 0, blockers, details };
}

/**
 * A failure concerns one member, unless the list of hotlines, which belongs to no member, fails too: then the vendor is down, or
 * the key is wrong.
 */
async function findTrouble(error: VendorError, vendor: OpenApi): Promise<VendorError | undefined> {
  if (!error.sent || error.code === 'rate-limited') return error;
  return vendor.listHotlines().then(
    () => undefined,
    (trouble: VendorError) => trouble,
  );
}

/** The result of the last step, and the failures of the others. */
function isTold({ step, status }: Step): boolean {
  return status === 'failed' || (step === 4 && status === 'done');
}

function describe({ memberNo, canCall, blockers, details }: Result): string {
  const result = canCall ? 'can call' : `cannot call${blockers.length > 0 ? `: ${blockers.join(', ')}` : ''}`;
  return [`${memberNo} ${result}`, ...details].join('; ');
}
