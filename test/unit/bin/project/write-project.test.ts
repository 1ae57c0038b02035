import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { usualNames } from '../../../../bin/project/new-sources.js';
import { writeProject } from '../../../../bin/project/write-project.js';
import { loadDefinitions } from '../../../../generator/check/load-definitions.js';
import { testFolder } from '../../../support/scratch-folder.js';

const versions = { kindforge: '1.2.3' };

it('has a definition without mistakes, and its code', () => {
  const folder = join(testFolder(), 'deep/shop');
  const written = writeProject(folder, { ...usualNames('shop'), kind: 'Policy' }, versions);
  expect(written).toMatchObject({ ok: true });
  expect(loadDefinitions(join(folder, 'schemas')).diagnostics).toEqual([]);
  expect(existsSync(join(folder, 'generated/shop.example.com/v1/policies/types.ts'))).toBe(true);
  for (const file of written.ok ? written.files : []) expect(existsSync(join(folder, file)), file).toBe(true);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ name: 'shop', dependencies: { kindforge: '1.2.3' } });
});

it('overwrites nothing, and names existing files', () => {
  const folder = testFolder({ 'tsconfig.json': '{}', 'generated/mine.ts': '', 'other.md': '' });
  expect(writeProject(folder, usualNames('shop'), versions)).toEqual({
    ok: false,
    existing: ['tsconfig.json', 'generated'],
  });
  expect(readdirSync(folder).sort()).toEqual(['generated', 'other.md', 'tsconfig.json']);
  expect(readFileSync(join(folder, 'tsconfig.json'), 'utf8')).toBe('{}');
});
