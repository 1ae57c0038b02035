/** Programs that cannot have workers. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { OptionError } from '../../../../server/option-error.js';
import { chooseRole } from '../../../../server/workers/open-role.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

describe('the role of a process', () => {
  const folder = scratchFolder();
  afterEach(() => vi.unstubAllEnvs());

  it('refuses a folder for temporary files if its path is too long for sockets', async () => {
    const long = join(folder, 'x'.repeat(100));
    mkdirSync(long);
    vi.stubEnv('TMPDIR', long);
    const refused = await chooseRole({ workers: 2 }).catch((error: unknown) => error);
    if (!(refused instanceof OptionError)) expect.fail('it has been accepted');
    expect(refused.describe(() => '--workers')).toBe(
      `--workers: the folder for temporary files is ${long}, but sockets of workers need a path of at most 68 bytes; set TMPDIR to such a folder`,
    );
  });
});
