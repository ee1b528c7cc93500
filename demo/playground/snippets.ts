/** What is set, as it is written in HTML, React and Vue. */
import type { Setting } from './manifest.ts';
import type { Values } from './settings.ts';

export type Framework = 'html' | 'react' | 'vue';

export function snippetFor(framework: Framework, values: Values): string {
  const set = [...values];
  const attributes = set.filter(([{ fieldName }]) => fieldName !== '');
  const look = set.filter(([{ fieldName }]) => fieldName === '');
  switch (framework) {
    case 'html':
      return html(attributes, look);
    case 'react':
      return react(attributes, look);
    case 'vue':
      return vue(attributes, look);
  }
}

type Entries = readonly (readonly [Setting, string])[];

function html(attributes: Entries, look: Entries): string {
  const style = [
    '<style>',
    '  partner-dialer {',
    ...look.map(([{ name }, value]) => `    ${name}: ${value};`),
    '  }',
    '</style>',
  ];
  return [
    '<script src="/partner-dialer/partner-dialer.js" defer></script>',
    ...(look.length > 0 ? style : []),
    '',
    tag(
      'partner-dialer',
      attributes.map(([{ name }, value]) => attribute(name, value)),
      '></partner-dialer>',
    ),
  ].join('\n');
}

function react(attributes: Entries, look: Entries): string {
  const props = attributes.map(([{ fieldName, control }, value]) =>
    control.is === 'number' ? `${fieldName}={${value}}` : attribute(fieldName, value, jsx),
  );
  const style = look.map(([{ name }, value]) => `'${name}': ${JSON.stringify(value)}`).join(', ');
  return [
    ...(look.length > 0 ? ["import type { CSSProperties } from 'react';"] : []),
    "import { PartnerDialer } from 'partner-dialer/react';",
    ...(look.length > 0 ? ['', `const look = { ${style} } as CSSProperties;`] : []),
    '',
    'export function Phone() {',
    '  return (',
    indent(tag('PartnerDialer', [...props, ...(look.length > 0 ? ['style={look}'] : [])], ' />'), '    '),
    '  );',
    '}',
  ].join('\n');
}

function vue(attributes: Entries, look: Entries): string {
  const props = attributes.map(([{ name, control }, value]) =>
    attribute(control.is === 'number' ? `:${name}` : name, value),
  );
  const style = look.map(([{ name }, value]) => `${name}: ${value}`).join('; ');
  return [
    '<script setup lang="ts">',
    "import { PartnerDialer } from 'partner-dialer/vue';",
    '</script>',
    '',
    '<template>',
    indent(
      tag('PartnerDialer', [...props, ...(style === '' ? [] : [attribute('style', style)])], ' />'),
      '  ',
    ),
    '</template>',
  ].join('\n');
}

/** One attribute in each line. */
function tag(name: string, attributes: readonly string[], end: string): string {
  const last = end.startsWith(' ') ? `\n${end.trim()}` : `\n${end}`;
  return [`<${name}`, ...attributes.map((one) => `  ${one}`)].join('\n') + last;
}

function attribute(name: string, value: string, quote = quoted): string {
  return value === '' ? name : `${name}=${quote(value)}`;
}

function quoted(value: string): string {
  return `"${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
}

function jsx(value: string): string {
  return /["\\&{]/.test(value) ? `{${JSON.stringify(value)}}` : `"${value}"`;
}

function indent(text: string, by: string): string {
  return text.replaceAll(/^/gm, by);
}
