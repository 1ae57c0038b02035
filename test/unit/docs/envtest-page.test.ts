/** The page on test suites lists all flags of kube-apiserver with what becomes of each. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiServerFlags, otherReleases } from '../../../bin/envtest/api-server-flags.js';
import { apiServerFlagTables } from '../../support/api-server-flag-tables.js';
import { root } from '../../support/shared.js';

const path = join(root, 'docs/envtest.md');

it('docs/envtest.md has the tables', () => {
  const page = readFileSync(path, 'utf8');
  const [before = ''] = page.split('\n### ');
  const expected = `${before.trimEnd()}\n\n${apiServerFlagTables([...apiServerFlags, otherReleases])}`;
  if (process.env.UPDATE_GOLDEN) writeFileSync(path, expected);
  expect(readFileSync(path, 'utf8')).toBe(expected);
});
