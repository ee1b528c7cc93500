/** The operator's page in a browser: readable by everybody, in light and dark, and nothing in doubt is hidden. */
import assert from 'node:assert/strict';
import { assertReadable } from './readable.ts';
import { test, type AgentPage, type Site } from './fixtures.ts';

let site: Site;
let operator: AgentPage;
test.beforeEach(({ sandbox }) => {
  site = sandbox;
});

/** Lets an operator without money sign in. */
async function topUp(memberNo: string): Promise<void> {
  await site.sandbox(`members/${memberNo}`, { balance: 0 });
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
  const login = await fetch(`${site.origin}/login`, { ...init, body: JSON.stringify({ memberNo }) });
  const Cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const session = await fetch(`${site.origin}/dialer/session`, { method: 'POST', headers: { Cookie } });
  assert.equal(session.status, 200);
}

const WIDTHS = [1280, 400];

test.describe("the operator's page", () => {
  test('says on a quiet day that nothing is in doubt', async () => {
    operator = await site.open('/operator');
    await operator.page.getByText('Nothing. Every top-up has come to an end.').waitFor();
    await assertReadable(operator.page, WIDTHS);
    assert.deepEqual(operator.consoleOutput, []);
  });

  test('lists on top what is in doubt, with what happens next, then all of today', async () => {
    await topUp('agent001');
    await site.sandbox('faults', { place: '/api/member/addMoney', kind: 'error', value: 500, times: 1 });
    await topUp('agent002');
    await site.sandbox('faults/clear', {});
    operator = await site.open('/operator');
    const doubt = operator.page.getByRole('region', { name: 'In doubt' });
    const row = doubt.getByRole('row', { name: 'agent002' });
    assert.match(await row.innerText(), /1\.000\s₫.*In doubt.*given up at \d+ \w+, \d\d:\d\d/s);
    assert.equal(await doubt.getByRole('rowheader').count(), 1);
    const today = operator.page.getByRole('region', { name: 'Today' });
    // The newest first; below them stand those of other tests.
    const members = await today.getByRole('rowheader').allInnerTexts();
    assert.deepEqual(members.slice(0, 2), ['agent002', 'agent001']);
    await assertReadable(operator.page, WIDTHS);
    await operator.page.getByRole('link', { name: 'Tiếng Việt' }).click();
    await operator.page.getByLabel('Nhân viên').fill('agent002');
    await operator.page.getByRole('button', { name: 'Tìm' }).click();
    await operator.page.getByRole('region', { name: 'Các lần nạp của agent002' }).waitFor();
    await assertReadable(operator.page, WIDTHS);
    assert.deepEqual(operator.consoleOutput, []);
  });
});
