/** The results as text: which script, a row per scenario, and why some failed. */
import type { SdkScript } from './sdk-script.ts';
import type { Outcome } from './suite.ts';

export function drawHeader({ source, bytes, sha256 }: SdkScript): string {
  return [`SDK      ${source}`, `size     ${bytes} bytes`, `SHA-256  ${sha256}`, ''].join('\n');
}

export function drawTable(outcomes: readonly Outcome[]): string {
  const width = Math.max(0, ...outcomes.map((outcome) => nameOf(outcome).length));
  const rows = outcomes.map((outcome) => {
    const result = outcome.passed ? 'ok    ' : 'FAILED';
    const seconds = `${(outcome.durationMs / 1000).toFixed(1)} s`.padStart(7);
    return `${nameOf(outcome).padEnd(width)}  ${result} ${seconds}`;
  });
  return ['', ...rows, ''].join('\n');
}

export function drawReasons(outcomes: readonly Outcome[]): string {
  return outcomes
    .filter(({ passed }) => !passed)
    .map((outcome) => `${nameOf(outcome)}\n${indent(outcome.reason ?? '')}\n`)
    .join('\n');
}

function nameOf({ family, scenario }: Outcome): string {
  return `${family}: ${scenario}`;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
