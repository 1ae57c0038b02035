/** The reference of the SDK is made without a warning: every exported thing is documented, and every link leads somewhere. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../test/support/shared.js';

it('is made of the doors of the SDK', () => {
  const typedoc = join(import.meta.dirname, 'node_modules/typedoc/bin/typedoc');
  const { status, stdout, stderr } = spawnSync(process.execPath, [typedoc, '--emit', 'none'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stdout + stderr]).toEqual([0, '']);
});
