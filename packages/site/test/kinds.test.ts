/** The pages of kinds: one for each, with an example if there is one. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../../generator/check/load-definitions.js';
import { root } from '../../../test/support/shared.js';
import { kindPages } from '../build/kinds.js';

const pagesOf = (folder: string) => kindPages(loadDefinitions(join(root, folder)).model);

describe('kindPages', () => {
  it('makes a page of each kind, with its versions', () => {
    const [page] = pagesOf('examples/shop/schemas').kinds;
    expect(page).toMatchObject({ group: 'shop.example.com', kind: 'Widget', address: 'shop.example.com/widget' });
    const lines = page?.text.split('\n') ?? [];
    expect(lines.filter((line) => line.startsWith('#'))).toEqual(['# Widget', '## shop.example.com/v1']);
    expect(lines.filter((line) => line.startsWith('| `spec.size`'))).toHaveLength(1);
  });

  it('puts the example before the first version, and leads to shared types', () => {
    const { kinds, shared } = pagesOf('schemas');
    const page = kinds.find(({ kind }) => kind === 'ConfigMap')?.text ?? '';
    expect(page.indexOf('## Example\n\n```yaml\napiVersion: v1\nkind: ConfigMap\n')).toBeGreaterThan(0);
    expect(page.indexOf('## Example')).toBeLessThan(page.indexOf('## v1'));
    const targets = kinds.flatMap(({ text }) =>
      [...text.matchAll(/\]\(\/kinds\/([^)#]+)/g)].map(([, target]) => target),
    );
    expect(targets.length).toBeGreaterThan(100);
    const known = new Set(shared.map(({ address }) => address));
    expect(targets.filter((target) => target === undefined || !known.has(target))).toEqual([]);
    expect(kinds.filter(({ text }) => /\]\((?!\/)/.test(text))).toEqual([]);
  });
});
