/** How many sequences are played, from which seed, and how much a failure is looked into. */

declare global {
  interface ImportMeta {
    readonly env: Readonly<
      Record<`MODEL_${'SEED' | 'PATH' | 'RUNS' | 'KINDS' | 'ATTEMPTS'}`, string | undefined>
    >;
  }
}

const { MODEL_SEED, MODEL_PATH, MODEL_RUNS, MODEL_KINDS, MODEL_ATTEMPTS } = import.meta.env;

/** Only these steps, and this sequence alone. */
export const path = MODEL_PATH?.split(',').filter(Boolean).map(Number);
export const runs = path ? 1 : Number(MODEL_RUNS);
export const firstSeed = Number(MODEL_SEED ?? 20_260_302);
/** Kinds of failure after which a run ends, and is explained. */
export const mostKinds = Number(MODEL_KINDS ?? 3);
/** How many shorter sequences are tried to explain a failure. */
export const mostAttempts = Number(MODEL_ATTEMPTS ?? 150);
