/** A microphone that is denied or absent, and what becomes of calls out and in. */
import { ANSWERS } from './bench.ts';
import { over } from './texts.ts';
import { expect, test } from './fixtures.ts';

const BLOCKED = 'Trình duyệt đang chặn quyền microphone. Vui lòng cho phép quyền để tiếp tục.';
const MISSING = 'Không tìm thấy thiết bị microphone. Hãy kết nối micro và thử lại.';

/** As long as an SDK needs to say, or not to say, that a call has ended. */
const A_WHILE_MS = 800;

for (const [microphone, text] of [
  ['denied', BLOCKED],
  ['absent', MISSING],
] as const) {
  test.describe(() => {
    test.use({ microphone });

    test(`a microphone ${microphone} while dialling: two errors, and no call`, async ({ bench }) => {
      await bench.register();
      await bench.dial(ANSWERS);
      await bench.journal.expectCall([
        `onError ${text}`,
        'onError Vui lòng cấp quyền truy cập microphone để thực hiện cuộc gọi',
      ]);
      bench.journal.expectOrder([/^onError/, 'makeCall resolved undefined']);
      expect(await bench.page.evaluate(() => widget.getCallState())).toBe('idle');
      expect(bench.exchange.calls).toEqual([]);
    });
  });
}

test.describe(() => {
  test.use({ microphone: 'denied' });

  test('a microphone denied while answering: it goes on ringing', async ({ bench }) => {
    const call = await bench.ring();
    const mark = bench.journal.mark();
    await bench.invoke('answerCall');
    await bench.journal.until(/^onError Trình duyệt đang chặn quyền microphone/, mark);
    await bench.journal.quiet(A_WHILE_MS);
    expect(bench.journal.callEvents(mark)).toHaveLength(1);
    expect(call.state).toBe('ringing');
    expect(await bench.page.evaluate(() => widget.getCallState())).toBe('dialing');
  });
});

test.describe(() => {
  test.use({ microphone: 'absent' });

  test('a microphone absent while answering: the call fails with 480', async ({ bench }) => {
    const call = await bench.ring();
    const mark = bench.journal.mark();
    await bench.invoke('answerCall');
    const text = 'User Denied Media Access';
    const warning = 'onWarning Không tìm thấy thiết bị microphone';
    await bench.journal.expectCall(
      [warning, ...over('incoming'), `onCallFailed ${text}`, `onError ${text}`],
      mark,
    );
    expect(call.finalStatus).toBe(480);
  });
});
