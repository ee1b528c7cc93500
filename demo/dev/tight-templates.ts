/** A minifier leaves the blanks of templates alone; those around line breaks mean nothing in HTML and CSS. */
import { parseAst } from 'vite';

export function withTightTemplates(code: string): string {
  const cuts: Cut[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isNode(node)) return;
    if (node.type === 'TaggedTemplateExpression' && /^(?:html|css|svg)$/.test(node['tag'].name)) {
      for (const { start, end } of node['quasi'].quasis) {
        cuts.push({ start, end, text: tight(code.slice(start, end), node['tag'].name === 'css') });
      }
    }
    Object.values(node).forEach(visit);
  };
  visit(parseAst(code));
  return withCuts(code, cuts);
}

function tight(text: string, isCss: boolean): string {
  if (!isCss) return text.replaceAll(/\s*\n\s*/g, ' ');
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
    .trim();
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- the parser's types do not go along with a walk over all nodes
  readonly [field: string]: any;
}

export interface Cut {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The code with the given parts of it replaced. */
export function withCuts(code: string, cuts: readonly Cut[]): string {
  let kept = code;
  for (const { start, end, text } of cuts.toSorted((a, b) => b.start - a.start)) {
    kept = kept.slice(0, start) + text + kept.slice(end);
  }
  return kept;
}
