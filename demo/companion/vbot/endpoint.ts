/** What an endpoint takes and gives. The input is the query of a GET, the JSON body of a POST. */
import * as z from 'zod/mini';
import type { DataForm } from './envelope.ts';

export interface Endpoint<I extends z.core.$ZodShape = z.core.$ZodShape, T = unknown> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly input: z.ZodMiniObject<I, z.core.$strict>;
  readonly data: z.ZodMiniType<T>;
  /** How the data may be wrapped and named; absent: as the schema says. */
  readonly form?: DataForm | undefined;
  /** False: what it does must not be done twice, so it is sent once. */
  readonly isRepeatable: boolean;
}

export type InputOf<I extends z.core.$ZodShape> = z.input<z.ZodMiniObject<I, z.core.$strict>>;

const endpoint =
  (method: 'GET' | 'POST', isRepeatable: boolean) =>
  <I extends z.core.$ZodShape, T>(
    path: string,
    input: I,
    data: z.ZodMiniType<T>,
    form?: DataForm,
  ): Endpoint<I, T> => ({ method, isRepeatable, path, input: z.strictObject(input), data, form });

export const get = endpoint('GET', true);
export const post = endpoint('POST', false);
/** A POST that only reads, or does no harm when it comes twice. */
export const repeatablePost = endpoint('POST', true);

/** A list; null is an empty one. A row that cannot be read is left out, and counted. */
export function rowsOf<T>(row: z.ZodMiniType<T>, onSkipped?: (count: number) => void) {
  return z.pipe(
    z.nullish(z.array(z.unknown(), 'a list')),
    z.transform((rows): T[] => {
      const results = (rows ?? []).map((one) => row.safeParse(one));
      const good = results.filter(({ success }) => success).map(({ data }) => data as T);
      if (good.length < results.length) onSkipped?.(results.length - good.length);
      return good;
    }),
  );
}
