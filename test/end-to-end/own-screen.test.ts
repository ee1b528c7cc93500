/** VBot's own call screen, with `vendor-ui`: it covers the page, so the agent answers there. */
import { expect, LONG, test as base, type AgentPage } from './fixtures.ts';
import { answerPrompts, watchMicrophones } from './random-steps.ts';

interface OwnScreen {
  readonly agent: AgentPage;
  /** The browser answers so late, in milliseconds. */
  readonly delayMicrophone: (ms: number) => Promise<void>;
  readonly openMicrophones: () => Promise<number>;
  readonly answer: (presses: number) => Promise<void>;
}

const test = base.extend<{ ownScreen: OwnScreen }>({
  ownScreen: async ({ site }, use) => {
    const agent = await site.open('/healthz');
    const { page } = agent;
    await page.addInitScript(() => {
      // The dialer's place for the SDK's element is closed.
      const attach = Element.prototype.attachShadow;
      Element.prototype.attachShadow = function (options) {
        return attach.call(this, { ...options, mode: 'open' });
      };
    });
    await watchMicrophones(page.context());
    await page.goto(site.origin);
    await expect(agent.text('Ready')).toBeVisible();
    await page.locator('partner-dialer').evaluate((dialer) => dialer.toggleAttribute('vendor-ui'));
    await expect(page.locator('vbot-widget[headless="false"]')).toBeAttached();
    await expect(agent.text('Ready')).toBeVisible();
    await use({
      agent,
      delayMicrophone: (takes) => answerPrompts(page, { takes }),
      openMicrophones: () =>
        page.evaluate(() => {
          const microphones = Reflect.get(globalThis, 'microphones') as MediaStreamTrack[];
          return microphones.filter(({ readyState }) => readyState === 'live').length;
        }),
      answer: async (clickCount) => {
        await expect(agent.text('Incoming call')).toBeVisible();
        await page.locator('vbot-widget').getByRole('button', { name: 'Chấp nhận' }).click({ clickCount });
      },
    });
  },
});

test.skip(process.env['SDK_FILE'] === undefined, 'the stand-in has no screen of its own');

for (const late of [0, 2000])
  test(
    `by a double press there, one call is answered, with a microphone after ${late} ms`,
    LONG,
    async ({ ownScreen, site }) => {
      await ownScreen.delayMicrophone(late);
      await site.ring();
      await ownScreen.answer(2);
      await expect(ownScreen.agent.text('In call')).toBeVisible();
      await ownScreen.agent.page.waitForTimeout(late + 1000);
      await site.call({ state: 'answered' });
    },
  );

test(
  'a microphone that is allowed after the caller has given up answers nobody, and is closed',
  LONG,
  async ({ ownScreen, site }) => {
    await ownScreen.delayMicrophone(2000);
    const { id } = await site.ring();
    await ownScreen.answer(1);
    await ownScreen.agent.page.waitForTimeout(300);
    await site.sandbox(`calls/${id}/hang-up`, {});
    await expect(ownScreen.agent.text('Incoming call')).toBeHidden();
    await site.ring('0987654321');
    await ownScreen.agent.page.waitForTimeout(3000);
    await site.call({ number: '0987654321', state: 'ringing' });
    expect(await ownScreen.openMicrophones()).toBe(0);
    await ownScreen.delayMicrophone(0);
    await ownScreen.answer(1);
    await expect(ownScreen.agent.text('In call')).toBeVisible();
  },
);
