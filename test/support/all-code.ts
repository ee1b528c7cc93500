/** What is still imported on demand in some rooms: there before the first test. */
import { numberCode } from '../../src/dialer/number-code.ts';
import { wordsFor } from '../../src/i18n/words-for.ts';
import { chunks as companionCode } from '../../src/ui/late-companions.ts';
import { chunks as panelCode } from '../../src/ui/panels.ts';

export async function loadAllCode(): Promise<void> {
  await Promise.all(
    [
      numberCode,
      wordsFor('en'),
      wordsFor('vi'),
      companionCode.companions,
      panelCode.calls,
      panelCode.guide,
    ].map((chunk) => chunk.load()),
  );
}
