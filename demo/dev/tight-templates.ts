/**
 * A minifier leaves the blanks of templates alone; those around line breaks mean nothing in HTML and CSS. A style without
 * holes needs no function that fills them: as much of Lit's as is used of it is in its place.
 */
import { parseAst, Visitor } from 'vite';
import { withCuts, type Cut } from './code-cuts.ts';

/** A module of the plain script alone. */
export const SHEET = 'sheet-of-text';
export const sheetOf = `export const css = (text) => {
  let sheet;
  return { get styleSheet() {
    if (!sheet) (sheet = new CSSStyleSheet()).replaceSync(text);
    return sheet;
  } };
};`;

export function withTightTemplates(code: string): string {
  const cuts: Cut[] = [];
  const visitor = new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || !/^(?:html|css|svg)$/.test(tag.name)) return;
      const isCss = tag.name === 'css';
      // What the renderer of the plain script lacks: see TEMPLATES in library-cuts.ts.
      const hasUnknownHole = quasi.quasis.some(({ value }) =>
        /\s\.[\w-]+=["']?$|<[\w-]+\s+$/.test(value.raw),
      );
      if (!isCss && hasUnknownHole)
        throw new Error(`A template that sets a property: ${code.slice(quasi.start, quasi.end)}`);
      for (const { start, end } of quasi.quasis)
        cuts.push({ start, end, text: tight(code.slice(start, end), isCss) });
      if (!isCss) return;
      if (quasi.expressions.length > 0) throw new Error('A style with holes.');
      cuts.push({ start: tag.end, end: tag.end, text: '(' }, { start: quasi.end, end: quasi.end, text: ')' });
    },
  });
  visitor.visit(parseAst(code));
  return withCuts(code, cuts).replace(/^(import \{ css \} from ).*/m, `$1'${SHEET}';`);
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
