/** The money under fire, in short; `npm run chaos` is the long form. */
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { bundleProgram } from '../../runner/bundle-program.ts';
import { runCampaign } from '../../soak/chaos/campaign.ts';
import { COMPANION } from '../../soak/chaos/plan.ts';
import { usePostgres, type UsedPostgres } from '../../postgres.ts';
import { makeFolder } from '../servers.ts';

describe(
  'companions that are killed and stopped while the vendor loses answers',
  { concurrency: true },
  () => {
    let script: string;
    let postgres: UsedPostgres | undefined;
    before(async () => {
      [script, postgres] = await Promise.all([bundleProgram(COMPANION), usePostgres()]);
    });
    after(() => postgres?.close());

    async function fight(t: TestContext, databaseUrl: string): Promise<void> {
      const seed = Date.now() % 1_000_000;
      const size = { companions: 3, members: 40, seconds: 20, enough: 5 };
      const outcome = await runCampaign({ script, databaseUrl, seed, ...size });
      t.diagnostic(JSON.stringify({ seed, ...outcome }));
      assert.deepEqual(outcome.violations, []);
      assert.equal(outcome.credited, outcome.settled + outcome.doubtfulApplied);
      assert.notEqual(outcome.credited, 0, 'no money moved');
      assert.notEqual(outcome.kills + outcome.stops, 0, 'no companion was disturbed');
    }

    it('move exactly the money that was due, on one SQLite file', async (t) => {
      await fight(t, `file:${await makeFolder(t)}/companion.db`);
    });

    it('move exactly the money that was due, on PostgreSQL', async (t) => {
      const databaseUrl = await postgres?.createDatabase();
      if (databaseUrl === undefined) t.skip('there is no PostgreSQL here');
      else await fight(t, databaseUrl);
    });
  },
);
