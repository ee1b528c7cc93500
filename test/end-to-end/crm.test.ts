/** The demo's CRM: the vendor's customers found, added, changed and removed, and the card of whoever is on the phone. */
import { SANDBOX_API_KEY } from '../../demo/sandbox/sandbox.ts';
import { assertReadable, flaws } from './readable.ts';
import { expect, LONG, test, type AgentPage, type Site } from './fixtures.ts';
test.beforeEach(async ({ agent }) => {
  await expect(names(agent).first()).toBeVisible();
});

const list = (agent: AgentPage) => agent.page.locator('main > .customers');
const names = (agent: AgentPage) => list(agent).locator('.name');
const card = (agent: AgentPage) => agent.page.locator('main > .card');
const button = (agent: AgentPage, name: string) => card(agent).getByRole('button', { name, exact: true });

async function listed(agent: AgentPage, expected: readonly string[]): Promise<void> {
  await expect(names(agent)).toHaveText([...expected], { useInnerText: true });
}

async function opened(agent: AgentPage, name: string): Promise<void> {
  await expect(card(agent).getByRole('heading', { name, exact: true })).toBeVisible();
  await expect(card(agent).locator('#card-facts')).toBeVisible();
}

async function readCard(agent: AgentPage): Promise<string> {
  return (await card(agent).innerText()).replaceAll(/\s+/g, ' ');
}

/** Kinds of what happened, the newest first. */
function history(agent: AgentPage): Promise<string[]> {
  return card(agent)
    .locator('#card-interactions li')
    .evaluateAll((items) => items.map((item) => item.getAttribute('data-kind') ?? ''));
}

async function historyBegins(agent: AgentPage, ...kinds: readonly string[]): Promise<void> {
  await expect.poll(async () => (await history(agent)).slice(0, kinds.length)).toEqual(kinds);
}

test.describe('an agent who looks after customers', LONG, () => {
  test('finds one without diacritics, adds another, changes and deletes them', async ({ agent }) => {
    const search = agent.page.getByLabel('Search', { exact: true });
    await search.fill('tran van');
    await listed(agent, ['Trần Văn Hùng']);
    await search.fill('+84 912 345 678');
    await listed(agent, ['Đặng Quốc Bảo']);
    await search.fill('nobody at all');
    await expect(list(agent).getByText('Nobody is called “nobody at all”')).toBeVisible();

    await list(agent).getByRole('button', { name: 'New customer' }).click();
    await card(agent).getByLabel('Name').fill('Hoàng <b>Yến</b>');
    await card(agent).getByLabel('Customer code').fill('c01');
    await card(agent).getByLabel('Phone', { exact: true }).fill('0977 654 32x');
    await card(agent).getByLabel('Follow up').check();
    await card(agent).getByLabel('City').first().selectOption('Đà Lạt');
    await card(agent).getByLabel('Guests').fill('12,5');
    await card(agent).getByLabel('Departure').fill('2028-02-29');
    await card(agent).getByLabel('Sea').check();
    await card(agent).getByLabel('Mountains').check();
    await card(agent).getByLabel('Note').fill('Dòng một\nDòng hai');
    await button(agent, 'Save').click();
    await expect(card(agent).getByText('A telephone number: digits only')).toBeVisible();
    await card(agent).getByLabel('Phone', { exact: true }).fill('0977 654 321');
    await button(agent, 'Save').click();
    await expect(card(agent).getByText('Another customer has this already: Customer code.')).toBeVisible();
    await card(agent).getByLabel('Customer code').fill('yen-1');
    await button(agent, 'Save').click();
    await opened(agent, 'Hoàng <b>Yến</b>');
    const shown = await readCard(agent);
    for (const part of ['yen-1', '0977 654 321', 'agent001', 'Follow up', 'Đà Lạt', '12.5', '29/02/2028']) {
      expect(shown, `${part} in: ${shown}`).toContain(part);
    }
    expect(shown).toMatch(/Sea, Mountains .*Dòng một Dòng hai/);
    await search.fill('hoang');
    await listed(agent, ['Hoàng <b>Yến</b>', 'Lê Hoàng Anh']);

    await button(agent, 'Edit').click();
    await card(agent).getByLabel('Name').fill('Hoàng Yến');
    await card(agent).getByLabel('Guests').fill('');
    await button(agent, 'Save').click();
    await opened(agent, 'Hoàng Yến');
    await listed(agent, ['Hoàng Yến', 'Lê Hoàng Anh']);
    expect(await readCard(agent)).not.toMatch(/Guests/);
    await historyBegins(agent, 'CUSTOMER_UPDATE', 'CUSTOMER_CREATE');

    await button(agent, 'Delete').click();
    await expect(card(agent).getByText('Delete Hoàng Yến?')).toBeVisible();
    await agent.page.keyboard.press('Enter');
    await expect(card(agent).getByText('Delete Hoàng Yến?')).toBeHidden();
    await listed(agent, ['Hoàng Yến', 'Lê Hoàng Anh']);
    await button(agent, 'Delete').click();
    await card(agent).getByRole('group').getByRole('button', { name: 'Delete' }).click();
    await expect(card(agent).getByText('Hoàng Yến was deleted.')).toBeVisible();
    await expect(card(agent).locator('#card-name:focus')).toBeVisible();
    await listed(agent, ['Lê Hoàng Anh']);
  });

  test('turns the pages, and comes back to the last one that has somebody', async ({ agent, site }) => {
    await Promise.all(Array.from({ length: 3 }, (_, at) => addCustomer(site, `p${at}`, `Khách ${at}`)));
    await agent.page.reload();
    await expect(list(agent).getByText('1–10 of 11')).toBeVisible();
    await list(agent).getByRole('button', { name: 'Next page' }).press('Enter');
    await expect(list(agent).getByText('11–11 of 11')).toBeVisible();
    await listed(agent, ['Bùi Ngọc Lan']);
    await list(agent).getByRole('button', { name: 'Previous page' }).click();
    await expect(list(agent).getByText('1–10 of 11')).toBeVisible();
  });

  test('reads in words what the vendor has against it, in both languages, and tries again', async ({
    agent,
    site,
  }) => {
    await site.sandbox('faults', { place: '/api/customer/get-all', kind: 'status', value: 503 });
    await agent.page.reload();
    await expect(list(agent).getByText('The vendor cannot be reached.')).toBeVisible();
    await agent.page.getByText('Tiếng Việt').click();
    await expect(list(agent).getByText('Không kết nối được với nhà cung cấp.')).toBeVisible();
    await site.sandbox('faults/clear', {});
    await list(agent).getByRole('button', { name: 'Thử lại' }).click();
    await expect(names(agent).first()).toBeVisible();
    expect(await agent.page.evaluate(() => document.documentElement.lang)).toBe('vi');

    await names(agent).filter({ hasText: 'Nguyễn Thị Mai' }).click();
    await button(agent, 'Sửa').click();
    await card(agent).getByLabel('Tên').fill('Nguyễn Thị Mai Anh');
    await site.sandbox('faults', { place: '/api/customer/update', kind: 'drop-after' });
    await button(agent, 'Lưu').click();
    await expect(card(agent).getByText('chưa rõ đã lưu hay chưa')).toBeVisible();
    await expect(card(agent).getByLabel('Tên')).toHaveValue('Nguyễn Thị Mai Anh');
    await site.sandbox('faults/clear', {});
    await card(agent).getByLabel('Tên').fill('Nguyễn Thị Mai');
    await agent.page.getByText('English').click();
    await expect(card(agent).getByLabel('Name'), 'what is written stays').toHaveValue('Nguyễn Thị Mai');
    // It was saved after all: the name that was there before is a change again.
    await button(agent, 'Save').click();
    await expect(card(agent).getByText('Saved.')).toBeVisible();
    await opened(agent, 'Nguyễn Thị Mai');
  });

  test('does all of it by keyboard alone', async ({ agent }) => {
    const { keyboard } = agent.page;
    await agent.page.getByLabel('Search', { exact: true }).focus();
    await keyboard.type('sarah');
    await listed(agent, ['Sarah Bennett']);
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await opened(agent, 'Sarah Bennett');
    await button(agent, 'Edit').focus();
    await keyboard.press('Enter');
    await expect(card(agent).locator('#field-name:focus')).toBeVisible();
    await button(agent, 'Cancel').focus();
    await keyboard.press('Enter');
    await expect(card(agent).locator('#card-name:focus')).toBeVisible();
    await button(agent, 'Delete').focus();
    await keyboard.press('Enter');
    await expect(card(agent).locator('#card-remove-no:focus')).toBeVisible();
    await keyboard.press('Escape');
    await expect(card(agent).locator('#card-remove:focus')).toBeVisible();
    expect(await names(agent).allInnerTexts()).toEqual(['Sarah Bennett']);
  });
});

test('an agent whom the server does not sign in is not shown as signed in', LONG, async ({ agent }) => {
  const chosen = agent.page.getByLabel('Signed in as');
  for (const refuse of [{ status: 503 }, undefined]) {
    await agent.page.route('**/login', (route) => (refuse ? route.fulfill(refuse) : route.abort()));
    await chosen.selectOption('agent002');
    await expect(agent.page.getByText('The sign-in does not answer.')).toBeVisible();
    await expect(chosen).toHaveValue('agent001');
    await agent.page.reload();
    await expect(agent.page.getByText('The sign-in does not answer.')).toBeVisible();
  }
});

test.describe('the card', LONG, () => {
  test('of a caller opens by itself, and its history grows by the call', async ({ agent, site }) => {
    await site.ring('0900000183');
    await opened(agent, 'Trần Văn Hùng');
    await expect(card(agent).getByText('Is calling you')).toBeVisible();
    await agent.press('Answer');
    await expect(card(agent).getByText('On the phone')).toBeVisible();
    await agent.hangUp();
    await historyBegins(agent, 'HISTORY_CALL_IN');
    await site.ring('+84900000183');
    await expect(card(agent).getByText('Is calling you')).toBeVisible();
    await agent.press('Decline');
    await historyBegins(agent, 'HISTORY_MISS_CALL', 'HISTORY_CALL_IN');
    expect(agent.consoleOutput, 'the console is left alone').toEqual([]);
  });

  test('of a callee opens as well, under the name that the list has, and its history grows', async ({
    agent,
    site,
  }) => {
    await agent.clickCustomer('0900 000 200');
    await expect(agent.text('Nguyễn Thị Mai')).toBeVisible();
    await opened(agent, 'Nguyễn Thị Mai');
    await expect(agent.text('In call')).toBeVisible();
    await agent.hangUp();
    await historyBegins(agent, 'HISTORY_CALL_OUT');
    const { externalCallId = '' } = await site.call({ state: 'ended' });
    expect(externalCallId).toMatch(/^c01[a-z0-9]+$/);
  });

  test('asks which of several customers it is, and offers to add a stranger', async ({ agent, site }) => {
    await addCustomer(site, 'twin1', 'Hoàng Oanh', '0977654321');
    await addCustomer(site, 'twin2', 'Hoàng Yến', '+84977654321');
    await site.ring('0977654321');
    await expect(card(agent).getByText('2 customers have this number.')).toBeVisible();
    await button(agent, 'Open Hoàng Yến').click();
    await opened(agent, 'Hoàng Yến');
    await expect(card(agent).getByText('Is calling you')).toBeVisible();
    await agent.press('Decline');

    await site.ring('0977123456');
    await button(agent, 'Add as a customer').click();
    await expect(card(agent).getByLabel('Phone', { exact: true })).toHaveValue('0977123456');
    await agent.press('Decline');
  });

  test('keeps what somebody is writing when they press another name, or another customer calls', async ({
    agent,
    site,
  }) => {
    await names(agent).filter({ hasText: 'Nguyễn Thị Mai' }).click();
    await button(agent, 'Edit').click();
    await card(agent).getByLabel('Trip').fill('Not saved yet');
    await names(agent).filter({ hasText: 'Sarah Bennett' }).click();
    await expect(card(agent).getByText('Save or cancel first')).toBeVisible();
    await site.ring('0900000183');
    await expect(card(agent).getByText('This call: Trần Văn Hùng.')).toBeVisible();
    await expect(card(agent).getByLabel('Trip')).toHaveValue('Not saved yet');
    await button(agent, 'Open Trần Văn Hùng').click();
    await opened(agent, 'Trần Văn Hùng');
    await agent.press('Decline');
  });

  test('its form and its question are readable by everybody, in both languages, light and dark, wide and narrow', async ({
    agent,
  }) => {
    await names(agent).filter({ hasText: 'Nguyễn Thị Mai' }).click();
    await opened(agent, 'Nguyễn Thị Mai');
    for (const [language, edit, remove, colorScheme] of [
      ['English', 'Edit', 'Delete', 'light'],
      ['Tiếng Việt', 'Sửa', 'Xóa', 'dark'],
    ] as const) {
      await agent.page.getByText(language, { exact: true }).click();
      await agent.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await button(agent, remove).click();
      expect(await flaws(agent.page), `${language}, ${colorScheme}, the question`).toEqual([]);
      await agent.page.keyboard.press('Escape');
      await button(agent, edit).click();
      const options = { what: `${language}, the form`, colorSchemes: [colorScheme] };
      await assertReadable(agent.page, [1440, 390], options);
      await card(agent).locator('#card-cancel').click();
    }
  });
});

/** At the vendor, as another program would. */
async function atVendor(site: Site, path: string, body: object): Promise<void> {
  const answer = await fetch(`${site.origin}/vendor/v3.0/api/customer/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': SANDBOX_API_KEY },
    body: JSON.stringify(body),
  });
  const { error } = (await answer.json()) as { error: number };
  expect(error, path).toBe(0);
}

function addCustomer(site: Site, customer_code: string, name: string, phone = ''): Promise<void> {
  return atVendor(site, 'insert', { fields: { customer_code, name, phone } });
}
