import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { codeBelow, withImports } from '../../../../../bin/project/dev/sources.js';
import { testFolder } from '../../../../support/scratch-folder.js';

it('follows the imports of JavaScript, in circles and in any form', () => {
  const folder = testFolder({
    'a.mjs':
      "import b from './b.js';\nexport { c } from \"./deep/c.mjs\";\nconst d = await import('./d.cjs');\nimport 'node:fs';",
    'b.js': "import './a.mjs';\nimport './gone.js';",
    'deep/c.mjs': "import { readFile } from 'fs';\nimport '../b.js';",
    'd.cjs': "require('./e.json');",
    'e.json': '{}',
    'other.js': '',
  });
  const files = withImports([join(folder, 'a.mjs'), join(folder, 'one.ts')]);
  expect(files.map((file) => relative(folder, file)).sort()).toEqual(
    ['a.mjs', 'b.js', 'd.cjs', 'deep/c.mjs', 'e.json', 'one.ts'].sort(),
  );
});

it('has all code of a folder, except packages, hidden folders and generated code', () => {
  const folder = testFolder({
    'a.ts': '',
    'deep/b.mjs': '',
    'deep/c.md': '',
    'node_modules/one/index.js': '',
    '.hidden/d.ts': '',
    'schemas/widgets.yaml': '',
  });
  const found = codeBelow(folder).map((file) => relative(folder, file));
  expect(found.filter((file) => !file.startsWith('kindforge.config.'))).toEqual(['a.ts', 'deep/b.mjs']);
  expect(found).toContain('kindforge.config.ts');
});
