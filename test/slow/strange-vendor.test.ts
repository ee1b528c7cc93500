/** The companion's flow at many vendors that answer otherwise than our sandbox usually does. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { readConfig } from '../../demo/companion/config.ts';
import { Hotlines } from '../../demo/companion/hotlines.ts';
import { Ledger } from '../../demo/companion/money/ledger.ts';
import { TopUp } from '../../demo/companion/money/top-up.ts';
import { blockersOf, provision, type Step } from '../../demo/companion/provision.ts';
import { openDatabase } from '../../demo/companion/store/database.ts';
import { readFormat, type Format } from '../../demo/companion/vbot/envelope.ts';
import { memberNoSchema, OpenApi } from '../../demo/companion/vbot/api.ts';
import { drawStrangeVendor } from '../../demo/sandbox/rest/strange-vendor.ts';
import { makeFolder, startSandbox } from '../../demo/sandbox/test/servers.ts';

const SEEDS = process.env['LONG'] === '1' ? 200 : 60;
const AT_ONCE = 20;
const agent = memberNoSchema.parse('agent001');
/** What an operator writes who reads that a hotline is refused because the member has it already. */
const ASSIGNED = readFormat('{"assigned":[409,1,-1]}');

/** A member signs in twice at one strange vendor; @returns what went wrong */
async function signInTwice(
  t: TestContext,
  folder: string,
  seed: number,
  format?: Format,
): Promise<string | undefined> {
  const sandbox = await startSandbox(t);
  const { world } = sandbox;
  world.setSettings({ ...world.settings, strangeVendor: seed });
  const config = readConfig({ DATABASE_URL: `file:${folder}/${seed}.db` });
  const database = openDatabase(config.databaseUrl, config.account);
  const vendor = new OpenApi(sandbox, { format });
  const topUp = new TopUp(vendor, new Ledger(database), config.topUp);
  const dependencies = { vendor, hotlines: new Hotlines(vendor, database), hotlineCode: undefined, topUp };
  const failures: string[] = [];
  const report = ({ status, detail }: Step) => void (status === 'failed' && failures.push(detail));
  try {
    const first = await provision(agent, dependencies, 'session', report);
    if (!format && first.hotlines.length === 0) {
      assert.match(
        failures.join(),
        /“(?:duplicate|Thành viên đã được gán hotline)”.*VENDOR_FIELDS=\{"assigned"/,
      );
      assert.deepEqual(world.topUps, [], 'nothing is paid before a hotline holds');
      return await signInTwice(t, `${folder}/assigned-`, seed, ASSIGNED);
    }
    const again = await provision(agent, dependencies, 'session', report);
    const member = world.members.get(agent);
    assert.ok(member);
    assert.match(first.token, /^eyJ/);
    assert.deepEqual([member.balance, world.topUps.length], [1000, 1]);
    assert.equal(world.callableHotlines(member).length, 1);
    assert.deepEqual([blockersOf(first), blockersOf(again)], [[], []]);
    assert.deepEqual(failures, []);
    return undefined;
  } catch (error) {
    return `seed ${seed}: ${(error as Error).message} ${failures.join(', ')} ${JSON.stringify(drawStrangeVendor(seed))}`;
  } finally {
    await topUp.rest();
    await database.close();
    await vendor.close();
  }
}

test(
  'whatever the vendor leaves open: a new member can call and is paid once, or the operator reads why not',
  { timeout: 180_000 },
  async (t) => {
    const folder = await makeFolder(t);
    const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);
    const wrong: (string | undefined)[] = [];
    const work = async () => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        wrong.push(await signInTwice(t, folder, seed));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    assert.equal(wrong.length, SEEDS);
    assert.deepEqual(wrong.filter(Boolean), []);
  },
);
