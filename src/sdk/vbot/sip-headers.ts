/** What stands in the head of a SIP message. */

/** All before the body. */
export function headOf(message: string): string {
  return message.split('\r\n\r\n', 1)[0] ?? '';
}

/** @returns the value of the first header of one of these names, which count in any case; empty: there is none */
export function headerOf(message: string, ...names: readonly string[]): string {
  const pattern = new RegExp(`^(?:${names.join('|')})[ \\t]*:[ \\t]*(.*)$`, 'im');
  return pattern.exec(headOf(message))?.[1]?.trim() ?? '';
}
