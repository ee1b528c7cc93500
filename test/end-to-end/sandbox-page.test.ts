/** The sandbox's manual as a page: everybody can read it, its buttons work, and its console stays empty. */
import { expect, LONG, test } from './fixtures.ts';
import { assertReadable } from './readable.ts';

test.describe('the page of the sandbox', () => {
  test('is readable by everybody, light and dark, wide and narrow', LONG, async ({ site }) => {
    const { page } = await site.open('/sandbox');
    await assertReadable(page, [1280, 390]);
  });

  test('clears the faults by a button, says so, and leaves nothing in the console', async ({ site }) => {
    await site.sandbox('faults', { place: 'script', kind: 'drop' });
    const agent = await site.open('/sandbox');
    await agent.page.getByRole('button', { name: 'POST /sandbox/faults/clear' }).click();
    await expect(agent.page.getByRole('status').filter({ hasText: 'Done' })).toBeVisible();
    const inForce = await fetch(`${site.origin}/sandbox`);
    expect(await inForce.json()).toMatchObject({ faults: {} });
    expect(agent.consoleOutput).toEqual([]);
    // Without an icon of its own, a browser asks for /favicon.ico and logs a 404.
    await expect(agent.page.locator('link[rel="icon"]')).toHaveAttribute('href', /^data:/);
  });
});
