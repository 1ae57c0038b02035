/** Checks that the embedded store works here: its compiled part loads, and stores something. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Check, messageOf, ok, problem } from '../finding.js';

export const lmdb: Check = {
  name: 'lmdb',
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kindforge-doctor-'));
    try {
      const { open } = await import('lmdb');
      const database = open({ path: folder });
      await database.put('a', 1);
      const found: unknown = database.get('a');
      await database.close();
      if (found !== 1) throw new Error('what was stored is not there');
      return [ok('the embedded store works')];
    } catch (error) {
      return [
        problem(
          `the embedded store does not work: ${messageOf(error)}`,
          'Install again with npm install --force lmdb on this machine; until then, use --storage memory or etcd:…',
        ),
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
