/** The demo's pages import the package by its name, as a partner's do, and get its sources. */
import { fileURLToPath } from 'node:url';
import type { Alias } from 'vite';

const source = (path: string) => fileURLToPath(new URL(`../../src/${path}.ts`, import.meta.url));

export const PACKAGE: Alias[] = [
  { find: /^partner-dialer\/(react|vue|element)$/, replacement: source('$1') },
  { find: /^partner-dialer\/testing$/, replacement: source('testing/fake-phone') },
  { find: /^partner-dialer$/, replacement: source('index') },
];
