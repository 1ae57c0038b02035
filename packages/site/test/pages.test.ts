/** The sidebar has each page of `docs/` once. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../test/support/shared.js';
import { partsOf } from '../build/pages.js';

const parts = partsOf(readFileSync(join(root, 'docs/README.md'), 'utf8'));

it('the sidebar has each page of docs/ once', () => {
  const listed = parts.flatMap(({ groups }) => groups.flatMap(({ pages }) => pages.map(({ name }) => name)));
  const written = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  expect(listed.toSorted()).toEqual(written.map((name) => name.replace(/\.md$/, '')).toSorted());
});

it('the sidebar has four parts', () =>
  expect(parts.map(({ title }) => title)).toEqual(['Start', 'Guides', 'Reference', 'How it works']));
