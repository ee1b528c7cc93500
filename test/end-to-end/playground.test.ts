/** The playground: every attribute has a control, and the page needs no server. */
import { ATTRIBUTES, CUSTOM_PROPERTIES } from '../../demo/playground/manifest.ts';
import { expect, LONG, test as base, type AgentPage } from './fixtures.ts';
import { assertReadable } from './readable.ts';

const test = base.extend({
  agent: async ({ site }, use) => {
    const agent = await site.open('/playground.html');
    await expect(agent.text('Ready')).toBeVisible();
    await use(agent);
  },
});

const control = (agent: AgentPage, name: string) => agent.page.locator(`[id="set${name}"]`);
const party = (agent: AgentPage, name: string) =>
  agent.page.locator('#party').getByRole('button', { name, exact: true });
const events = (agent: AgentPage, name: string) => agent.page.locator(`#log [data-event="${name}"]`);

async function snippet(agent: AgentPage, framework: 'HTML' | 'React' | 'Vue'): Promise<string> {
  await agent.page.getByText(framework, { exact: true }).click();
  return (await agent.page.locator('#snippet').textContent()) ?? '';
}

test.describe('the playground', LONG, () => {
  test('has a control for each attribute and custom property, said in both languages', async ({ agent }) => {
    const settings = [...ATTRIBUTES, ...CUSTOM_PROPERTIES];
    const hints = () => agent.page.locator('.setting > p').allInnerTexts();
    const english = await hints();
    await agent.page.getByText('Tiếng Việt', { exact: true }).click();
    const vietnamese = await hints();
    expect([english.length, vietnamese.length]).toEqual([settings.length, settings.length]);
    const names = await agent.page.locator('.setting label').allInnerTexts();
    expect(names.toSorted()).toEqual(settings.map(({ name }) => name).toSorted());
    expect(
      names.filter((_, place) => english[place] === vietnamese[place]),
      'without Vietnamese words',
    ).toEqual([]);
  });

  test('calls without any server, and logs each event with its details', async ({ agent }) => {
    await agent.dialer.locator('input.number').fill('0912345678');
    await agent.press('Call');
    await party(agent, 'Answer').click();
    await expect(agent.text('In call')).toBeVisible();
    await party(agent, 'Hang up').click();
    await events(agent, 'dialer-callend').locator('summary').click();
    await expect(events(agent, 'dialer-callend').getByText('"outcome": "answered"')).toBeVisible();
    await party(agent, 'Take the balance away').click();
    await expect(agent.text('Ask for a top-up')).toBeVisible();
    await party(agent, 'All is well again').click();
    await expect(agent.text('You can call again')).toBeVisible();
    const asked = agent.requested.filter((url) => /\/(?:dialer|vendor|sandbox|login|ws)(?:[/?]|$)/.test(url));
    expect(asked).toEqual([]);
  });

  test('draws nothing before its words and lists are there, so that it does not jump', async ({ agent }) => {
    await agent.page.addInitScript(() => {
      Reflect.set(globalThis, 'shift', 0);
      new PerformanceObserver((list) => {
        const values = list.getEntries().map((entry) => Number(Reflect.get(entry, 'value')));
        const sum = values.reduce((one, other) => one + other, Number(Reflect.get(globalThis, 'shift')));
        Reflect.set(globalThis, 'shift', sum);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    // As on a slow line: the browser could draw the page without its script.
    await agent.page.route('**/*.js', async (route) => {
      await new Promise((passed) => setTimeout(passed, 300));
      await route.continue();
    });
    for (const width of [1350, 390]) {
      await agent.page.setViewportSize({ width, height: 900 });
      await agent.page.reload();
      await expect(agent.text('Ready')).toBeVisible();
      const shift = await agent.page.evaluate(() => Number(Reflect.get(globalThis, 'shift')));
      expect(shift, `${width} px`).toBeLessThan(0.01);
    }
  });

  test('sets what is chosen, by keyboard alone, and writes it for HTML, React and Vue', async ({ agent }) => {
    await control(agent, 'theme').focus();
    await agent.page.keyboard.type('dark');
    await control(agent, 'low-balance').focus();
    await agent.page.keyboard.type('60000');
    await control(agent, 'hotkeys').focus();
    await agent.page.keyboard.press('Space');
    await control(agent, '--partner-dialer-radius').focus();
    await agent.page.keyboard.type('4');
    await expect(agent.text('Low call balance')).toBeVisible();
    const dialer = agent.dialer;
    expect(
      await dialer.evaluate((element) =>
        ['theme', 'low-balance', 'hotkeys'].map((name) => element.getAttribute(name)),
      ),
    ).toEqual(['dark', '60000', '']);
    const html = await snippet(agent, 'HTML');
    for (const line of ['broker-url="/dialer/session"', 'theme="dark"', 'low-balance="60000"', 'hotkeys'])
      expect(html, `${line} in ${html}`).toContain(`\n  ${line}\n`);
    expect(html, html).toContain('--partner-dialer-radius: 4px;');
    const react = await snippet(agent, 'React');
    for (const line of ['brokerUrl="/dialer/session"', 'lowBalance={60000}', 'hotkeys', 'style={look}'])
      expect(react, `${line} in ${react}`).toContain(` ${line}\n`);
    expect(await snippet(agent, 'Vue')).toContain(':low-balance="60000"');
    await agent.page.getByRole('button', { name: 'Reset all' }).click();
    await expect(dialer).not.toHaveAttribute('theme');
  });

  test('is readable by everybody, in both languages, light and dark, wide and narrow', async ({ agent }) => {
    for (const language of ['English', 'Tiếng Việt']) {
      await agent.page.getByText(language, { exact: true }).click();
      await assertReadable(agent.page, [1200, 390], { what: language });
    }
  });
});
