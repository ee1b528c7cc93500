/** Changes code where its syntax tree says, and leaves the rest of it as it is. */
import { parseAst } from 'vite';

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

export interface Node {
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

/** Every node of the code's syntax tree. */
export function nodesOf(code: string): Node[] {
  const found: Node[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isNode(node)) return;
    found.push(node);
    Object.values(node).forEach(visit);
  };
  visit(parseAst(code));
  return found;
}
