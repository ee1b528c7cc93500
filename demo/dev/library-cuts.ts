/**
 * What zod and Lit ask at run time, and the package always answers alike. The plain script has the answers instead, and the
 * minifier drops what depends on them. Where a new version puts a question otherwise, the build fails.
 */
type Answers = readonly (readonly [question: RegExp, answer: string])[];

/** No schema waits for a promise, stands for a recursive value, keeps unknown keys, counts elements or has a default. */
const ZOD: Answers = [
  [/\w+ instanceof Promise/g, 'false'],
  [/asyncResult \|\| /g, ''],
  [/if \(asyncResult\)/g, 'if (false)'],
  [/proms\.length/g, '0'],
  [/core\.globalConfig\.memoizer|def\.catchall(?=;)|ch\._zod\.def\.when(?=\))/g, 'undefined'],
  [/ctx\?\.abortEarly|ctx\.skipChecks|ctx\.direction === "backward"|payload\.memo(?=\))/g, 'false'],
  [/util\.defineLazyInternal\(inst, "(?:propValues|values|pattern)", /g, 'void ('],
  [
    /util\.defineLazyInternal\(inst, "optin", \(zod\) => zod\.def\.innerType[^;]*;/g,
    'inst._zod.optin = "optional";',
  ],
  [/def\.innerType\._zod\.optin !== "defaulted"/g, 'true'],
  [/\(optin === "defaulted" && !isOptionalOut\)/g, 'false'],
  [/capSize\(inst, \w+\);/g, ''],
  // Its texts would be in English, and are nowhere shown: where it does not fit is all that is told.
  [/issues\.map\(\(iss\) => util\.finalizeIssue\([^)]*\)\)\)/g, 'issues'],
  [/\{\s*expected: "\w+",\s*code: "invalid_type",\s*input,\s*inst,\s*\}/g, '{}'],
  [/code: "invalid_type",\s*expected: "nonoptional",\s*input: undefined,/g, ''],
  [/code: "custom",\s*input,\s*inst,.*\s*(?=path:)/g, ''],
  [/util\.issue\((\w+)\)/g, '$1'],
  [/inst\._zod\.def\.params(?=\))/g, 'undefined'],
  [/util\.attachSchema\(.*?\);/g, ''],
  // What fails ends its schema: no check is told to go on.
  [/continue: !inst\._zod\.def\.abort,/g, ''],
  [/\[\.\.\.\(inst\._zod\.def\.path \?\? \[\]\)\]/g, '[]'],
  [/_ctx \? \{ \.\.\._ctx, async: false \} : \{ async: false \}/g, 'undefined'],
  [/util\.aborted\((\w+)(?:, \w+)?\)/g, '($1.issues.length > 0)'],
];

/** No schema is compared with a class, extended, copied, configured or read by anything but `safeParse`. */
const ZOD_CLASSES: Answers = [
  [/const proto = _\.prototype;\s*for \(const k in proto\)/g, 'while (false)'],
  [/const protoMembers = proto;/g, 'const protoMembers = undefined;'],
  [/\}, \{(?:\s*\/\/.*)*\s*get "~standard"\(\) \{[\s\S]*?\n\}\);/g, '});'],
  [/params\?\.Parent|globalThis\.__zod_globalConfig\?\.postProcessor/g, 'undefined'],
  [/class Definition extends Parent \{\s*\}\s*Object\.defineProperty\(Definition, [^;]*;/g, ''],
  [
    /Object\.defineProperty\(_, (?:Symbol\.hasInstance, \{[\s\S]*?\n {4}\}|"name", \{ value: name \})\);/g,
    '',
  ],
  [/Object\.defineProperty\(_, "init", \{ value: init \}\);/g, '_.init = init;'],
  [/_zodDesc\.value = (.*);\s*try \{[\s\S]*?finally \{[\s\S]*?\n {12}\}/g, 'inst._zod = $1;'],
  [
    /\(_a = globalThis\)\.__zod_globalConfig \?\?.*\s*.*globalConfig = .*;/g,
    'export const globalConfig = {};',
  ],
  [/"captureStackTrace" in Error/g, 'false'],
  [/else if \(inst\._zod\.traits\.has\(name\)\) \{\s*return;\s*\}/g, ''],
  [/inst\._zod\.traits\.has\("\$ZodCheck"\)/g, 'def.fn'],
  [
    /checks\.\$ZodCheck\.init\(inst, def\);|inst\._zod\.traits\.add\(name\);|this\.traits = new Set\(\);/g,
    '',
  ],
  [/this\.constr = _;|Internals\.prototype = zodProto;/g, ''],
  [/core\.\$constructor\("\$Zod\w+", /g, 'core.$constructor("", '],
  [/set error\(e\) \{[\s\S]*?\n {8}\},/g, ''],
  [/inst \?\? \(inst = \{\}\);|inst\._zod\.(?:version|bag|def) = .*?;/g, ''],
  [/for \(const fn of ch\._zod\.onattach\) \{[^}]*\}/g, ''],
  [/for \(const ch of checks\) \{\s*\}/g, ''],
  [
    /\(_a = inst\._zod\)\.deferred \?\? .*\s*inst\._zod\.deferred\?\.push\([\s\S]*?\}\);/g,
    'inst._zod.run = (...given) => inst._zod.parse(...given);',
  ],
  [/const deferred = inst\._zod\.deferred;/g, 'const deferred = undefined;'],
];

/** A shape is written out: its keys are names, and its values schemas. */
const ZOD_SHAPES: Answers = [
  [/const desc = Object\.getOwnPropertyDescriptor\(def, "shape"\);[\s\S]*?(?=const _normalized = )/g, ''],
  [/util\.cached\(\(\) => normalizeDef\(def\)\)/g, '{ value: normalizeDef(def) }'],
  [/const ownSymbols = .*|const okeys = .*/g, ''],
  [/(?:ownSymbols|symbolKeys)\.length/g, '0'],
  [/for \(const k of allKeys\) \{[\s\S]*?\n {4}\}/g, ''],
  [/\bsymbolKeys,|keySet: new Set\(keys\),|numKeys: keys\.length,|optionalKeys: new Set\(okeys\),/g, ''],
  [/let seen = payload\.issues\.length;/g, ''],
  [/if \(key === "__proto__"\)\s*continue;/g, ''],
];

/** Every browser with `light-dark()` has constructable sheets. */
const SHEETS: Answers = [[/\w\.ShadowRoot&&.*?"replace"in CSSStyleSheet\.prototype/g, 'true']];

/**
 * No template has MathML, the text of a script or style, a property, or a hole in a comment or a tag; listeners are plain
 * functions, and whatever a hole gets is told anew each time.
 */
const TEMPLATES: Answers = [
  [/3===i\?"<\/?math>":/g, ''],
  [/2===i\|\|3===i/g, '2===i'],
  [/\by\.test\(r\.tagName\)/g, 'false'],
  [/y\.test\(u\[2\]\)&&\(n=RegExp\("<\/"\+u\[2\],"g"\)\),/g, ''],
  [
    /let t=-1;for\(;-1!==\(t=r\.data\.indexOf\(o,t\+1\)\);\)d\.push\(\{type:7,index:l\}\),t\+=o\.length-1/g,
    '',
  ],
  [/"\."===e\[1\]\?I:/g, ''],
  [/else t\.startsWith\(o\)&&\(d\.push\(\{type:6,index:l\}\),r\.removeAttribute\(t\)\)/g, ''],
  [/1===r\.type\?(i=new r\.ctor\([^)]*\)):6===r\.type&&\(i=new Z\(h,this,t\)\)/g, '$1'],
  [/\|\|t\.capture!==s\.capture\|\|t\.once!==s\.once\|\|t\.passive!==s\.passive/g, ''],
  [/"function"==typeof this\._\$AH/g, 'true'],
  [/"number"==typeof s/g, 'true'],
  [/if\(\((t=M\(this,t,i,0\)\?\?A)\)===E\)return;/g, '$1;'],
  [/if\(i===E\)return i;|r===E&&\(r=this\._\$AH\[n\]\),|&&t!==E/g, ''],
  // For directives that go on after a view was drawn, which no view has.
  [/for\(this\._\$AP\?\.\(!1,!0,s\);/g, 'for(;'],
  [/setConnected\(t\)\{[^}]*\}|this\._\$AN=void 0,/g, ''],
  [/get (?:_\$AU|tagName|parentNode|startNode|endNode)\(\)\{[^}]*\}/g, ''],
  [/,this\._\$Cv=e\?\.isConnected\?\?!0/g, ''],
  [/t\?\.creationScope|s\?\.renderBefore/g, 'undefined'],
  [/const j=\{.*?\},B=t\.litHtmlPolyfillSupport;.*?\.push\("[\d.]+"\);/g, 'const j={};'],
];

/** Every property has an accessor, a converter or a plain kind, no default to go back to, and no other decorators. */
const ELEMENT: Answers = [
  [/Symbol\.metadata\?\?=.*?new WeakMap;|const t=this\[Symbol\.metadata\];.*?\}(?=this\._\$Eh=new Map)/g, ''],
  [/static addInitializer\(t\)\{.*?push\(t\)\}|,void 0!==t\.l&&\(this\.l=\[\.\.\.t\.l\]\)/g, ''],
  [/,this\.constructor\.l\?\.forEach\(t=>t\(this\)\)/g, ''],
  [/s\.state&&\(s\.attribute=!1\),|this\.prototype\.hasOwnProperty\(t\)&&\(\(.*?\)\.wrapped=!0\),/g, ''],
  [/!s\.noAccessor/g, 'true'],
  [/case Object:case Array:(?:t=null==t\?t:JSON\.stringify\(t\)|try\{.*?\}catch\(t\)\{i=null\})/g, ''],
  [/case Number:.*?break;|"function"==typeof t\.converter\?\{fromAttribute:t\.converter\}:/g, ''],
  [/\(i\.hasChanged\?\?f\)/g, 'f'],
  [/\|\|i\.useDefault&&.*?\(t,i\)\)(?=\))/g, ''],
  [/i&&!\(this\._\$Ej\?\?=new Map\).*?\|\|\(this\._\$AL\.has/g, '(this._$AL.has'],
  [/this\.hasUpdated\|\|i\|\|/g, 'this.hasUpdated||'],
  [/r\?\?this\._\$Ej\?\.get\(e\)\?\?r/g, 'r'],
  [/const t=this\.constructor\.elementProperties;if\(t\.size>0\).*?\}(?=\}let t=!1)/g, ''],
  [/,p=a\.reactiveElementPolyfillSupport|,p\?\.\(\{ReactiveElement:y\}\),.*?\.push\("[\d.]+"\)/g, ''],
];

type Library = readonly [path: RegExp, Answers];

const ALL_OF_ZOD: readonly Library[] = [
  [/\/zod\/v4\/core\/(?:core|schemas|checks|parse|util)\.js$/, [...ZOD, ...ZOD_CLASSES, ...ZOD_SHAPES]],
];
const LIT: readonly Library[] = [
  [/\/reactive-element\/css-tag\.js$/, SHEETS],
  [/\/reactive-element\/reactive-element\.js$/, ELEMENT],
  [/\/lit-html\/lit-html\.js$/, TEMPLATES],
];

export class LibraryCuts {
  readonly #libraries: readonly Library[];
  readonly #unused: Set<RegExp>;

  /** @param keepsZod for a page that uses more of it than the package does */
  constructor(keepsZod = false) {
    this.#libraries = keepsZod ? LIT : [...ALL_OF_ZOD, ...LIT];
    this.#unused = new Set(this.#libraries.flatMap(([, answers]) => answers.map(([question]) => question)));
  }

  /** @returns `undefined`: it stays as it is */
  apply(code: string, id: string): string | undefined {
    const [, answers] = this.#libraries.find(([path]) => path.test(id)) ?? [];
    return answers?.reduce((text, [question, answer]) => {
      const cut = text.replaceAll(question, answer);
      if (cut !== text) this.#unused.delete(question);
      return cut;
    }, code);
  }

  /** @throws {Error} where a library no longer has what was to be cut: cuts depend on each other */
  requireAllUsed(): void {
    const [unused] = this.#unused;
    if (unused) throw new Error(`No library has what is to be cut by ${unused.source}`);
  }
}
