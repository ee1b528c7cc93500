/**
 * What zod asks at run time and no schema of the package ever answers with yes: that it waits for a promise, stands for a
 * recursive value, keeps unknown keys, counts elements, has a default. The plain script has the answers instead, and the
 * minifier drops what depends on them. Where a new zod puts a question otherwise it stays in, and the budget tells.
 */
const CORE = /\/zod\/v4\/core\/\w+\.js$/;

const ANSWERS: readonly (readonly [question: RegExp, answer: string])[] = [
  [/\w+ instanceof Promise/g, 'false'],
  [/asyncResult \|\| /g, ''],
  [/if \(asyncResult\)/g, 'if (false)'],
  [/proms\.length/g, '0'],
  [/core\.globalConfig\.memoizer|def\.catchall(?=;)|ch\._zod\.def\.when(?=\))/g, 'undefined'],
  [/ctx\?\.abortEarly|ctx\.skipChecks|ctx\.direction === "backward"/g, 'false'],
  [/util\.defineLazyInternal\(inst, "(?:propValues|values|pattern)", /g, 'void ('],
  [
    /util\.defineLazyInternal\(inst, "optin", \(zod\) => zod\.def\.innerType[^;]*;/g,
    'inst._zod.optin = "optional";',
  ],
  [/def\.innerType\._zod\.optin !== "defaulted"/g, 'true'],
  [/capSize\(inst, \w+\);/g, ''],
  [/util\.hide\(this, "~standard", standardProps\(this\)\)/g, 'undefined'],
  // Its texts would be in English, and are nowhere shown: where it does not fit is all that is told.
  [/issues\.map\(\(iss\) => util\.finalizeIssue\([^)]*\)\)\)/g, 'issues'],
  [/params\?\.Parent|globalThis\.__zod_globalConfig\?\.postProcessor/g, 'undefined'],
];

/** @returns `undefined`: it is no code of zod's */
export function withZodCuts(code: string, id: string): string | undefined {
  if (!CORE.test(id)) return undefined;
  return ANSWERS.reduce((text, [question, answer]) => text.replaceAll(question, answer), code);
}
