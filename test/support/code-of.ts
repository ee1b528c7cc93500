/** The code a promise is rejected with; undefined when it resolves. */
export function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => (error as { code?: unknown }).code,
  );
}
