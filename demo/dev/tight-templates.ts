/** A minifier leaves the blanks of templates alone; those around line breaks mean nothing in HTML and CSS. */
import { nodesOf, withCuts } from './code-cuts.ts';

export function withTightTemplates(code: string): string {
  const templates = nodesOf(code).filter(
    (node) => node.type === 'TaggedTemplateExpression' && /^(?:html|css|svg)$/.test(node['tag'].name),
  );
  const cuts = templates.flatMap((template) =>
    template['quasi'].quasis.map(({ start, end }: { start: number; end: number }) => ({
      start,
      end,
      text: tight(code.slice(start, end), template['tag'].name === 'css'),
    })),
  );
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
