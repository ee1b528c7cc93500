/** The packages inside the repository. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { ROOT, run } from './tarball.ts';

for (const folder of ['demo/companion', 'demo/sandbox']) {
  it(`npm in ${folder} leaves the packages of the root alone`, async () => {
    const target = await run('npm', ['prefix', '--loglevel=error'], join(ROOT, folder));
    assert.equal(target.trim(), join(ROOT, folder));
  });
}
