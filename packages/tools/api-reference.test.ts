/** The reference of the SDK has no warnings: every export has documentation, and every link leads somewhere. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../test/support/shared.js';

it('covers the entry points of the SDK', () => {
  const typedoc = join(import.meta.dirname, 'node_modules/typedoc/bin/typedoc');
  const { status, stdout, stderr } = spawnSync(process.execPath, [typedoc, '--emit', 'none'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stdout + stderr]).toEqual([0, '']);
});
