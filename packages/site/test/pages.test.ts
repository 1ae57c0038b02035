/** The sidebar has each page of `docs/` once. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../test/support/shared.js';
import { parts } from '../build/pages.js';

it('the sidebar has each page of docs/ once', () => {
  const listed = parts.flatMap(({ groups }) => groups.flatMap(({ pages }) => pages));
  const written = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  expect(listed.toSorted()).toEqual(written.map((name) => name.replace(/\.md$/, '')).toSorted());
});

it('the sidebar has four parts', () => expect(parts.map(({ title }) => title)).toHaveLength(4));
