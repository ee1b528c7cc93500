/** The demo's CRM: the vendor's customers found, and the card of whoever is on the phone. */
import { SANDBOX_API_KEY } from '../../demo/sandbox/sandbox.ts';
import { assertReadable } from './readable.ts';
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
  test('finds one without diacritics or by number, and reads who it is', async ({ agent }) => {
    const search = agent.page.getByLabel('Search', { exact: true });
    await search.fill('tran van');
    await listed(agent, ['Trần Văn Hùng']);
    await search.fill('+84 912 345 678');
    await listed(agent, ['Đặng Quốc Bảo']);
    await search.fill('nobody at all');
    await expect(list(agent).getByText('No customer has the name or number “nobody at all”')).toBeVisible();
    await search.fill('thi mai');
    await names(agent).first().click();
    await opened(agent, 'Nguyễn Thị Mai');
    const shown = await readCard(agent);
    for (const part of ['c01', '0900 000 200', 'agent001', 'City']) {
      expect(shown, `${part} in: ${shown}`).toContain(part);
    }
  });

  test('turns the pages', async ({ agent, site }) => {
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
    await expect(list(agent).getByText('Không kết nối được với tổng đài.')).toBeVisible();
    await site.sandbox('faults/clear', {});
    await list(agent).getByRole('button', { name: 'Thử lại' }).click();
    await expect(names(agent).first()).toBeVisible();
    expect(await agent.page.evaluate(() => document.documentElement.lang)).toBe('vi');
  });

  test('does all of it by keyboard alone', async ({ agent }) => {
    const { keyboard } = agent.page;
    await agent.page.getByLabel('Search', { exact: true }).focus();
    await keyboard.type('sarah');
    await listed(agent, ['Sarah Bennett']);
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await opened(agent, 'Sarah Bennett');
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

  test('asks which of several customers it is, and says that nobody knows a stranger', async ({
    agent,
    site,
  }) => {
    await addCustomer(site, 'twin1', 'Hoàng Oanh', '0977654321');
    await addCustomer(site, 'twin2', 'Hoàng Yến', '+84977654321');
    await site.ring('0977654321');
    await expect(card(agent).getByText('2 customers have this number.')).toBeVisible();
    await button(agent, 'Open Hoàng Yến').click();
    await opened(agent, 'Hoàng Yến');
    await expect(card(agent).getByText('Is calling you')).toBeVisible();
    await agent.press('Decline');

    await site.ring('0977123456');
    await expect(card(agent).getByText('No customer has the number 0977 123 456.')).toBeVisible();
    await agent.press('Decline');
  });

  test('says whose call it is while another customer is looked at', async ({ agent, site }) => {
    await site.ring('0900000183');
    await opened(agent, 'Trần Văn Hùng');
    await names(agent).filter({ hasText: 'Sarah Bennett' }).click();
    await opened(agent, 'Sarah Bennett');
    await button(agent, 'Open Trần Văn Hùng').click();
    await opened(agent, 'Trần Văn Hùng');
    await agent.press('Decline');
  });

  test('is readable by everybody, in both languages, light and dark, wide and narrow', async ({ agent }) => {
    await names(agent).filter({ hasText: 'Nguyễn Thị Mai' }).click();
    await opened(agent, 'Nguyễn Thị Mai');
    for (const [language, colorScheme] of [
      ['English', 'light'],
      ['Tiếng Việt', 'dark'],
    ] as const) {
      await agent.page.getByText(language, { exact: true }).click();
      await agent.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await assertReadable(agent.page, [1440, 390], {
        what: `${language}, the card`,
        colorSchemes: [colorScheme],
      });
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
