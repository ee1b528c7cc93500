/** The playground: every attribute has a control, and the page needs no server. */
import assert from 'node:assert/strict';
import { ATTRIBUTES, CUSTOM_PROPERTIES } from '../../demo/playground/manifest.ts';
import { LONG, test, type AgentPage } from './fixtures.ts';
import { assertReadable } from './readable.ts';

let agent: AgentPage;
test.beforeEach(async ({ sandbox }) => {
  agent = await sandbox.open('/playground.html');
  await agent.see('Ready');
});
test.afterEach(() => agent.closeWithoutErrors());

const control = (name: string) => agent.page.locator(`[id="set${name}"]`);
const party = (name: string) => agent.page.locator('#party').getByRole('button', { name, exact: true });
const events = (name: string) => agent.page.locator(`#events [data-event="${name}"]`);

async function snippet(framework: 'HTML' | 'React' | 'Vue'): Promise<string> {
  await agent.page.getByText(framework, { exact: true }).click();
  return (await agent.page.locator('#snippet').textContent()) ?? '';
}

test.describe('the playground', LONG, () => {
  test('has a control for each attribute and custom property, said in both languages', async () => {
    const settings = [...ATTRIBUTES, ...CUSTOM_PROPERTIES];
    const hints = () => agent.page.locator('.setting > p').allInnerTexts();
    const english = await hints();
    await agent.page.getByText('Tiếng Việt', { exact: true }).click();
    const vietnamese = await hints();
    assert.deepEqual([english.length, vietnamese.length], [settings.length, settings.length]);
    const names = await agent.page.locator('.setting label').allInnerTexts();
    assert.deepEqual(names.toSorted(), settings.map(({ name }) => name).toSorted());
    assert.deepEqual(
      names.filter((_, place) => english[place] === vietnamese[place]),
      [],
      'without Vietnamese words',
    );
  });

  test('calls without any server, and logs each event with its details', async () => {
    await agent.page.locator('partner-dialer').locator('input.number').fill('0912345678');
    await agent.press('Call');
    await party('Answer').click();
    await agent.see('In call');
    await party('Hang up').click();
    await events('dialer-callend').locator('summary').click();
    await events('dialer-callend').getByText('"outcome": "answered"').waitFor();
    await party('Take the balance away').click();
    await agent.see('Ask for a top-up');
    await party('All is well again').click();
    await agent.see('You can call again');
    const asked = agent.requested.filter((url) => /\/(?:dialer|vendor|sandbox|login|ws)\b/.test(url));
    assert.deepEqual(asked, []);
  });

  test('sets what is chosen, by keyboard alone, and writes it for HTML, React and Vue', async () => {
    await control('theme').focus();
    await agent.page.keyboard.type('dark');
    await control('low-balance').focus();
    await agent.page.keyboard.type('60000');
    await control('hotkeys').focus();
    await agent.page.keyboard.press('Space');
    await control('--partner-dialer-radius').focus();
    await agent.page.keyboard.type('4');
    await agent.see('Low call balance');
    const dialer = agent.page.locator('partner-dialer');
    assert.deepEqual(
      await dialer.evaluate((element) =>
        ['theme', 'low-balance', 'hotkeys'].map((name) => element.getAttribute(name)),
      ),
      ['dark', '60000', ''],
    );
    const html = await snippet('HTML');
    for (const line of ['broker-url="/dialer/session"', 'theme="dark"', 'low-balance="60000"', 'hotkeys'])
      assert.ok(html.includes(`\n  ${line}\n`), `${line} in ${html}`);
    assert.ok(html.includes('--partner-dialer-radius: 4px;'), html);
    const react = await snippet('React');
    for (const line of ['brokerUrl="/dialer/session"', 'lowBalance={60000}', 'hotkeys', 'style={look}'])
      assert.ok(react.includes(` ${line}\n`), `${line} in ${react}`);
    assert.ok((await snippet('Vue')).includes(':low-balance="60000"'));
    await agent.page.getByRole('button', { name: 'Reset all' }).click();
    assert.equal(await dialer.getAttribute('theme'), null);
  });

  test('is readable by everybody, in both languages, light and dark, wide and narrow', async () => {
    for (const language of ['English', 'Tiếng Việt']) {
      await agent.page.getByText(language, { exact: true }).click();
      await assertReadable(agent.page, [1200, 390], { what: language });
    }
  });
});
