/** The line that sets a flag is found in the files that can set it. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { settingPlace } from '../../../../bin/flags/fill-in.js';
import { testFolder } from '../../../support/scratch-folder.js';

it.each<[string, string, string, string]>([
  [
    'kindforge.config.ts',
    "const storage = 1;\nexport default {\n  out: 'x',\n  serve: { storage: 'nope' },\n};",
    'storage',
    ':4:12',
  ],
  [
    'kindforge.config.ts',
    "export default {\n  serve: {\n    'dry-http-port': 1,\n    'http-port': 'x' } };",
    'http-port',
    ':4:5',
  ],
  ['kindforge.config.yaml', 'naming: platform\nserve:\n  log-level: loud\n', 'log-level', ':3:3'],
  ['server.yaml', 'host: 1\nhttp-port: x\n', 'http-port', ':2:1'],
  ['kindforge.config.ts', "import { serve } from './serve.js';\nexport default { serve };", 'http-port', ''],
])('in %s', (name, text, flag, place) => {
  const file = join(testFolder({ [name]: text }), name);
  expect(settingPlace(file, flag)).toBe(`${file}${place}`);
});

it('does not change environment variables', () =>
  expect(settingPlace('KINDFORGE_HTTP_PORT', 'http-port')).toBe('KINDFORGE_HTTP_PORT'));
