/** A microphone that is denied or absent, and what becomes of calls out and in. */
import assert from 'node:assert/strict';
import { ANSWERS, type Bench } from '../bench.ts';
import type { Family, Scenario } from '../scenario.ts';
import { over } from '../texts.ts';

const BLOCKED = 'Trình duyệt đang chặn quyền microphone. Vui lòng cho phép quyền để tiếp tục.';
const MISSING = 'Không tìm thấy thiết bị microphone. Hãy kết nối micro và thử lại.';

/** As long as an SDK needs to say, or not to say, that a call has ended. */
const A_WHILE_MS = 800;

export const microphone: Family = {
  name: 'microphone',
  scenarios: [
    withoutMicrophone('denied', BLOCKED),
    withoutMicrophone('absent', MISSING),
    { name: 'denied while answering: it goes on ringing', microphone: 'denied', run: answerDenied },
    { name: 'absent while answering: the call fails with 480', microphone: 'absent', run: answerAbsent },
  ],
};

function withoutMicrophone(access: 'denied' | 'absent', text: string): Scenario {
  return {
    name: `${access} while dialling: two errors, and no call`,
    microphone: access,
    run: async (bench) => {
      await bench.register();
      await bench.dial(ANSWERS);
      await bench.journal.expectCall([
        `onError ${text}`,
        'onError Vui lòng cấp quyền truy cập microphone để thực hiện cuộc gọi',
      ]);
      bench.journal.expectOrder([/^onError/, 'makeCall resolved undefined']);
      assert.equal(await bench.page.evaluate(() => widget.getCallState()), 'idle');
      assert.equal(bench.exchange.calls.length, 0);
    },
  };
}

async function answerDenied(bench: Bench): Promise<void> {
  const call = await bench.ring();
  const mark = bench.journal.mark();
  await bench.invoke('answerCall');
  await bench.journal.until(/^onError Trình duyệt đang chặn quyền microphone/, mark);
  await bench.journal.quiet(A_WHILE_MS);
  assert.equal(bench.journal.callEvents(mark).length, 1);
  assert.equal(call.state, 'ringing');
  assert.equal(await bench.page.evaluate(() => widget.getCallState()), 'dialing');
}

async function answerAbsent(bench: Bench): Promise<void> {
  const call = await bench.ring();
  const mark = bench.journal.mark();
  await bench.invoke('answerCall');
  const text = 'User Denied Media Access';
  const warning = 'onWarning Không tìm thấy thiết bị microphone';
  await bench.journal.expectCall(
    [warning, ...over('incoming'), `onCallFailed ${text}`, `onError ${text}`],
    mark,
  );
  assert.equal(call.finalStatus, 480);
}
