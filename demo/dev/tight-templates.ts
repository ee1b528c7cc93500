/** A minifier leaves the blanks of templates alone; those around line breaks mean nothing in HTML and CSS. */
import { parseAst, Visitor } from 'vite';
import { withCuts, type Cut } from './code-cuts.ts';

export function withTightTemplates(code: string): string {
  const cuts: Cut[] = [];
  const visitor = new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || !/^(?:html|css|svg)$/.test(tag.name)) return;
      for (const { start, end } of quasi.quasis)
        cuts.push({ start, end, text: tight(code.slice(start, end), tag.name === 'css') });
    },
  });
  visitor.visit(parseAst(code));
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
