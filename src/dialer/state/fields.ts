/** The object with these fields; the same object when it has them already. */
export function withFields<T extends object>(before: T, fields: Partial<T>): T {
  const names = Object.keys(fields) as (keyof T)[];
  return names.every((name) => before[name] === fields[name]) ? before : { ...before, ...fields };
}
