/** The code a promise is rejected with, or `resolved`. */
export function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'resolved',
    (error: unknown) => (error as { code?: unknown }).code ?? String(error),
  );
}
