/**
 * What zod and Lit ask at run time, and the package always answers alike. The plain script has the answers instead, and the
 * minifier drops what depends on them. Where a new version puts a question otherwise it stays in, and the budget tells.
 */
type Answers = readonly (readonly [question: RegExp, answer: string])[];

/** No schema waits for a promise, stands for a recursive value, keeps unknown keys, counts elements or has a default. */
const ZOD: Answers = [
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

/** Every browser with `light-dark()` has constructable sheets. */
const SHEETS: Answers = [[/\w\.ShadowRoot&&.*?"replace"in CSSStyleSheet\.prototype/g, 'true']];

/** No template has MathML, the text of a script or style, or a hole in a comment. */
const TEMPLATES: Answers = [
  [/3===i\?"<\/?math>":/g, ''],
  [/2===i\|\|3===i/g, '2===i'],
  [/\by\.test\(r\.tagName\)/g, 'false'],
  [/y\.test\(u\[2\]\)&&\(n=RegExp\("<\/"\+u\[2\],"g"\)\),/g, ''],
  [
    /let t=-1;for\(;-1!==\(t=r\.data\.indexOf\(o,t\+1\)\);\)d\.push\(\{type:7,index:l\}\),t\+=o\.length-1/g,
    '',
  ],
];

const LIBRARIES: readonly (readonly [path: RegExp, Answers])[] = [
  [/\/zod\/v4\/core\/\w+\.js$/, ZOD],
  [/\/reactive-element\/css-tag\.js$/, SHEETS],
  [/\/lit-html\/lit-html\.js$/, TEMPLATES],
];

/** @returns `undefined`: it stays as it is */
export function withCutsOfLibrary(code: string, id: string): string | undefined {
  const [, answers] = LIBRARIES.find(([path]) => path.test(id)) ?? [];
  return answers?.reduce((text, [question, answer]) => text.replaceAll(question, answer), code);
}
