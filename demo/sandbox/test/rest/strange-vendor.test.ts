/** The setting `strangeVendor`: other responses that the vendor's document allows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawStrangeVendor } from '../../rest/strange-vendor.ts';
import { createSandbox, SANDBOX_API_KEY } from '../../sandbox.ts';

const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1);

test('a seed is always the same vendor, and many seeds are many vendors', () => {
  assert.deepEqual(drawStrangeVendor(7), drawStrangeVendor(7));
  const drawn = SEEDS.map(drawStrangeVendor);
  for (const name of Object.keys(drawStrangeVendor(1)) as (keyof ReturnType<typeof drawStrangeVendor>)[]) {
    assert.ok(new Set(drawn.map((one) => one[name])).size > 1, name);
  }
});

test('a strange vendor does what it is asked, whatever it responds', async (t) => {
  const bodies = new Set<string>();
  const askVendor = async (seed: number) => {
    const { world, ...sandbox } = createSandbox();
    t.after(() => sandbox.close());
    world.setSettings({ ...world.settings, strangeVendor: seed });
    const ask = async (path: string, body?: object) => {
      const headers = { 'X-API-Key': SANDBOX_API_KEY, 'Content-Type': 'application/json' };
      const init = body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers };
      const response = await sandbox.fetch(
        new Request(`http://vendor.invalid/vendor/v3.0/api/${path}`, init),
      );
      bodies.add(`${response.status} ${await response.text()}`.replaceAll(/eyJ[\w.-]+/g, 'token'));
    };
    const member_no = 'agent001';
    const assignment = {
      member_no,
      hotline_number: '842899990001',
      allow_call: true,
      start_time: '',
      end_time: '',
    };
    await ask(`member/getByMemberNo?member_no=${member_no}`);
    await ask('sdk/tokenSdk', { member_no, hotline_codes: ['HL_SALES'] });
    await ask('member/addMoney', { member_no, money: 1000 });
    await ask('hotline/member/add', assignment);
    await ask('hotline/getAll');
    await ask(`member/getByMemberNo?member_no=${member_no}`);
    const member = world.members.get(member_no);
    assert.equal(member?.balance, 1000);
    assert.equal(member.assignments.length, 1);
  };
  await Promise.all(SEEDS.map(askVendor));
  assert.ok(bodies.size > 20, [...bodies].join('\n'));
});
