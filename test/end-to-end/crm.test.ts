/** The demo's CRM: the vendor's customers found, added, changed and removed, and the card of whoever is on the phone. */
import assert from 'node:assert/strict';
import { SANDBOX_API_KEY } from '../../demo/sandbox/sandbox.ts';
import { assertReadable, flaws } from './readable.ts';
import { eventually, LONG, test, type AgentPage, type Site } from './fixtures.ts';

let site: Site;
let agent: AgentPage;
test.beforeEach(async ({ sandbox }) => {
  site = sandbox;
  await site.sandbox('members/agent001', { balance: 90_000, hotlines: ['842899990001'] });
  agent = await site.open();
  await agent.see('Ready');
  await names().first().waitFor();
});
test.afterEach(() => agent.closeWithoutErrors());

const list = () => agent.page.locator('main > .customers');
const names = () => list().locator('.name');
const card = () => agent.page.locator('main > .card');
const button = (name: string) => card().getByRole('button', { name, exact: true });
const ring = (from: string) => site.sandbox('calls', { memberNo: 'agent001', from });

async function listed(expected: readonly string[]): Promise<void> {
  await eventually(
    async () => JSON.stringify(await names().allInnerTexts()) === JSON.stringify(expected),
    `${expected.join(', ')} in the list`,
  );
}

async function opened(name: string): Promise<void> {
  await card().getByRole('heading', { name, exact: true }).waitFor();
  await card().locator('#card-facts').waitFor();
}

async function readCard(): Promise<string> {
  return (await card().innerText()).replaceAll(/\s+/g, ' ');
}

/** Kinds of what happened, the newest first. */
function history(): Promise<string[]> {
  return card()
    .locator('#card-interactions li')
    .evaluateAll((items) => items.map((item) => item.getAttribute('data-kind') ?? ''));
}

async function historyBegins(...kinds: readonly string[]): Promise<void> {
  const wanted = JSON.stringify(kinds);
  await eventually(
    async () => JSON.stringify((await history()).slice(0, kinds.length)) === wanted,
    `${wanted} in the history`,
  );
}

test.describe('an agent who looks after customers', LONG, () => {
  test('finds one without diacritics, adds another, changes and deletes them', async () => {
    const search = agent.page.getByLabel('Search', { exact: true });
    await search.fill('tran van');
    await listed(['Trần Văn Hùng']);
    await search.fill('+84 912 345 678');
    await listed(['Đặng Quốc Bảo']);
    await search.fill('nobody at all');
    await list().getByText('Nobody is called “nobody at all”').waitFor();

    await list().getByRole('button', { name: 'New customer' }).click();
    await card().getByLabel('Name').fill('Hoàng <b>Yến</b>');
    await card().getByLabel('Customer code').fill('c01');
    await card().getByLabel('Phone', { exact: true }).fill('0977 654 32x');
    await card().getByLabel('Follow up').check();
    await card().getByLabel('City').first().selectOption('Đà Lạt');
    await card().getByLabel('Guests').fill('12,5');
    await card().getByLabel('Departure').fill('2028-02-29');
    await card().getByLabel('Sea').check();
    await card().getByLabel('Mountains').check();
    await card().getByLabel('Note').fill('Dòng một\nDòng hai');
    await button('Save').click();
    await card().getByText('A telephone number: digits only').waitFor();
    await card().getByLabel('Phone', { exact: true }).fill('0977 654 321');
    await button('Save').click();
    await card().getByText('Another customer has this already: Customer code.').waitFor();
    await card().getByLabel('Customer code').fill('yen-1');
    await button('Save').click();
    await opened('Hoàng <b>Yến</b>');
    const shown = await readCard();
    for (const part of ['yen-1', '0977 654 321', 'agent001', 'Follow up', 'Đà Lạt', '12.5', '29/02/2028']) {
      assert.ok(shown.includes(part), `${part} in: ${shown}`);
    }
    assert.match(shown, /Sea, Mountains .*Dòng một Dòng hai/);
    await search.fill('hoang');
    await listed(['Hoàng <b>Yến</b>', 'Lê Hoàng Anh']);

    await button('Edit').click();
    await card().getByLabel('Name').fill('Hoàng Yến');
    await card().getByLabel('Guests').fill('');
    await button('Save').click();
    await opened('Hoàng Yến');
    await listed(['Hoàng Yến', 'Lê Hoàng Anh']);
    assert.doesNotMatch(await readCard(), /Guests/);
    await historyBegins('CUSTOMER_UPDATE', 'CUSTOMER_CREATE');

    await button('Delete').click();
    await card().getByText('Delete Hoàng Yến?').waitFor();
    await agent.page.keyboard.press('Enter');
    await card().getByText('Delete Hoàng Yến?').waitFor({ state: 'hidden' });
    await listed(['Hoàng Yến', 'Lê Hoàng Anh']);
    await button('Delete').click();
    await card().getByRole('group').getByRole('button', { name: 'Delete' }).click();
    await card().getByText('Hoàng Yến was deleted.').waitFor();
    await listed(['Lê Hoàng Anh']);
  });

  test('turns the pages, and comes back to the last one that has somebody', async () => {
    await Promise.all(Array.from({ length: 3 }, (_, at) => addCustomer(`p${at}`, `Khách ${at}`)));
    await agent.page.reload();
    await list().getByText('1–10 of 11').waitFor();
    await list().getByRole('button', { name: 'Next page' }).press('Enter');
    await list().getByText('11–11 of 11').waitFor();
    await listed(['Bùi Ngọc Lan']);
    await list().getByRole('button', { name: 'Previous page' }).click();
    await list().getByText('1–10 of 11').waitFor();
    await Promise.all([0, 1, 2].map((at) => removeCustomer(`p${at}`)));
  });

  test('reads in words what the vendor has against it, in both languages, and tries again', async () => {
    await site.sandbox('faults', { place: '/api/customer/get-all', kind: 'status', value: 503 });
    await agent.page.reload();
    await list().getByText('The vendor cannot be reached.').waitFor();
    await agent.page.getByText('Tiếng Việt').click();
    await list().getByText('Không kết nối được với nhà cung cấp.').waitFor();
    await site.sandbox('faults/clear', {});
    await list().getByRole('button', { name: 'Thử lại' }).click();
    await names().first().waitFor();
    assert.equal(await agent.page.evaluate(() => document.documentElement.lang), 'vi');

    await names().filter({ hasText: 'Nguyễn Thị Mai' }).click();
    await button('Sửa').click();
    await card().getByLabel('Tên').fill('Nguyễn Thị Mai Anh');
    await site.sandbox('faults', { place: '/api/customer/update', kind: 'drop-after' });
    await button('Lưu').click();
    await card().getByText('chưa rõ đã lưu hay chưa').waitFor();
    assert.equal(await card().getByLabel('Tên').inputValue(), 'Nguyễn Thị Mai Anh');
    await site.sandbox('faults/clear', {});
    await card().getByLabel('Tên').fill('Nguyễn Thị Mai');
    await agent.page.getByText('English').click();
    assert.equal(await card().getByLabel('Name').inputValue(), 'Nguyễn Thị Mai', 'what is written stays');
    // It was saved after all: the name that was there before is a change again.
    await button('Save').click();
    await card().getByText('Saved.').waitFor();
    await opened('Nguyễn Thị Mai');
  });

  test('does all of it by keyboard alone', async () => {
    const { keyboard } = agent.page;
    await agent.page.getByLabel('Search', { exact: true }).focus();
    await keyboard.type('sarah');
    await listed(['Sarah Bennett']);
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await opened('Sarah Bennett');
    await button('Edit').focus();
    await keyboard.press('Enter');
    await card().locator('#field-name:focus').waitFor();
    await button('Cancel').focus();
    await keyboard.press('Enter');
    await card().locator('#card-name:focus').waitFor();
    await button('Delete').focus();
    await keyboard.press('Enter');
    await card().locator('#card-remove-no:focus').waitFor();
    await keyboard.press('Escape');
    await card().locator('#card-remove:focus').waitFor();
    assert.deepEqual(await names().allInnerTexts(), ['Sarah Bennett']);
  });
});

test.describe('the card', LONG, () => {
  test('of a caller opens by itself, and its history grows by the call', async () => {
    await ring('0900000183');
    await opened('Trần Văn Hùng');
    await card().getByText('Is calling you').waitFor();
    await agent.press('Answer');
    await card().getByText('On the phone').waitFor();
    await agent.hangUp();
    await historyBegins('HISTORY_CALL_IN');
    await ring('+84900000183');
    await card().getByText('Is calling you').waitFor();
    await agent.press('Decline');
    await historyBegins('HISTORY_MISS_CALL', 'HISTORY_CALL_IN');
    assert.deepEqual(agent.consoleOutput, [], 'the console is left alone');
  });

  test('of a callee opens as well, under the name that the list has, and its history grows', async () => {
    await agent.clickCustomer('0900 000 200');
    await agent.see('Nguyễn Thị Mai');
    await opened('Nguyễn Thị Mai');
    await agent.see('In call');
    await agent.hangUp();
    await historyBegins('HISTORY_CALL_OUT');
    const { externalCallId = '' } = await site.call(({ state }) => state === 'ended');
    assert.match(externalCallId, /^c01[a-z0-9]+$/);
  });

  test('asks which of several customers it is, and offers to add a stranger', async () => {
    await addCustomer('twin1', 'Hoàng Oanh', '0977654321');
    await addCustomer('twin2', 'Hoàng Yến', '+84977654321');
    await ring('0977654321');
    await card().getByText('2 customers have this number.').waitFor();
    await button('Open Hoàng Yến').click();
    await opened('Hoàng Yến');
    await card().getByText('Is calling you').waitFor();
    await agent.press('Decline');
    await Promise.all(['twin1', 'twin2'].map(removeCustomer));

    await ring('0977123456');
    await button('Add as a customer').click();
    assert.equal(await card().getByLabel('Phone', { exact: true }).inputValue(), '0977123456');
    await agent.press('Decline');
  });

  test('keeps what somebody is writing when they press another name, or another customer calls', async () => {
    await names().filter({ hasText: 'Nguyễn Thị Mai' }).click();
    await button('Edit').click();
    await card().getByLabel('Trip').fill('Not saved yet');
    await names().filter({ hasText: 'Sarah Bennett' }).click();
    await card().getByText('Save or cancel first').waitFor();
    await ring('0900000183');
    await card().getByText('This call: Trần Văn Hùng.').waitFor();
    assert.equal(await card().getByLabel('Trip').inputValue(), 'Not saved yet');
    await button('Open Trần Văn Hùng').click();
    await opened('Trần Văn Hùng');
    await agent.press('Decline');
  });

  test('its form and its question are readable by everybody, in both languages, light and dark, wide and narrow', async () => {
    await names().filter({ hasText: 'Nguyễn Thị Mai' }).click();
    await opened('Nguyễn Thị Mai');
    for (const [language, edit, remove, colorScheme] of [
      ['English', 'Edit', 'Delete', 'light'],
      ['Tiếng Việt', 'Sửa', 'Xóa', 'dark'],
    ] as const) {
      await agent.page.getByText(language, { exact: true }).click();
      await agent.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await button(remove).click();
      assert.deepEqual(await flaws(agent.page), [], `${language}, ${colorScheme}, the question`);
      await agent.page.keyboard.press('Escape');
      await button(edit).click();
      const options = { what: `${language}, the form`, colorSchemes: [colorScheme] };
      await assertReadable(agent.page, [1440, 390], options);
      await card().locator('#card-cancel').click();
    }
  });
});

/** At the vendor, as another program would. */
async function atVendor(path: string, body: object): Promise<void> {
  const answer = await fetch(`${site.origin}/vendor/v3.0/api/customer/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': SANDBOX_API_KEY },
    body: JSON.stringify(body),
  });
  const { error } = (await answer.json()) as { error: number };
  assert.equal(error, 0, path);
}

function addCustomer(customer_code: string, name: string, phone = ''): Promise<void> {
  return atVendor('insert', { fields: { customer_code, name, phone } });
}

function removeCustomer(customer_code: string): Promise<void> {
  return atVendor('delete', { customer_code });
}
