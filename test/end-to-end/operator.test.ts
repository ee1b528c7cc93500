/** The operator's page in a browser: readable by everybody, in light and dark, and nothing in doubt is hidden. */
import { expect, test, type Site, LONG } from './fixtures.ts';
import { assertReadable } from './readable.ts';

/** Lets an operator without money sign in. */
async function topUp(site: Site, memberNo: string): Promise<void> {
  await site.sandbox(`members/${memberNo}`, { balance: 0 });
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
  const login = await fetch(`${site.origin}/login`, { ...init, body: JSON.stringify({ memberNo }) });
  const Cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const session = await fetch(`${site.origin}/dialer/session`, { method: 'POST', headers: { Cookie } });
  expect(session.status).toBe(200);
}

const WIDTHS = [1280, 400];

test.describe("the operator's page", () => {
  test('lists on top what is in doubt, with what happens next, then all of today', LONG, async ({ site }) => {
    await topUp(site, 'agent001');
    await site.sandbox('faults', { place: '/api/member/addMoney', kind: 'error', value: 500, times: 1 });
    await topUp(site, 'agent002');
    await site.sandbox('faults/clear', {});
    const operator = await site.open('/operator');
    const doubt = operator.page.getByRole('region', { name: 'In doubt' });
    const row = doubt.getByRole('row', { name: 'agent002' });
    await expect(row).toHaveText(/1,000\s₫.*In doubt.*given up at \d+ \w+, \d\d:\d\d/s, {
      useInnerText: true,
    });
    await expect(doubt.getByRole('rowheader')).toHaveCount(1);
    const today = operator.page.getByRole('region', { name: 'Today' });
    // The newest first; below them stand those of other tests.
    const members = await today.getByRole('rowheader').allInnerTexts();
    expect(members.slice(0, 2)).toEqual(['agent002', 'agent001']);
    await assertReadable(operator.page, WIDTHS);
    await operator.page.getByRole('link', { name: 'Tiếng Việt' }).click();
    await operator.page.getByLabel('Nhân viên').fill('agent002');
    await operator.page.getByRole('button', { name: 'Tìm' }).click();
    await expect(operator.page.getByRole('region', { name: 'Các lần nạp của agent002' })).toBeVisible();
    await assertReadable(operator.page, WIDTHS);
    expect(operator.consoleOutput).toEqual([]);
  });
});
