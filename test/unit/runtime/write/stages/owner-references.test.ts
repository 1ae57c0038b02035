/** Owner references that repeat another one: dropped, with a warning that names the owners. */
import { describe, expect, it } from 'vitest';
import type { OwnerReference } from '../../../../../runtime/contract/index.js';
import { dedupOwnerReferences } from '../../../../../runtime/write/stages/owner-references.js';
import { widget } from '../../../../support/widgets.js';

const owner = (uid: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'owner',
  uid,
  ...more,
});

function dedup(references: OwnerReference[] | undefined, when?: string) {
  const object = widget('a', {}, references === undefined ? {} : { ownerReferences: references });
  const warnings: string[] = [];
  dedupOwnerReferences(object, (text) => warnings.push(text), when);
  return { kept: object.metadata.ownerReferences, warnings };
}

describe('repeated owner references', () => {
  it('are dropped, the first of each is kept in its place', () => {
    const { kept, warnings } = dedup([owner('1'), owner('2'), owner('1'), owner('2'), owner('1')]);
    expect(kept).toEqual([owner('1'), owner('2')]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/contains duplicate entries; .*duplicate UID\(s\) observed: 1, 2$/);
  });

  it('are told apart from those that share only the uid', () => {
    const references = [owner('1'), owner('1', { controller: true }), owner('1', { name: 'other' })];
    expect(dedup(references)).toEqual({ kept: references, warnings: [] });
  });

  it('say when they were found', () => {
    const { warnings } = dedup([owner('1'), owner('1')], ' after mutating admission happens');
    expect(warnings[0]).toContain('contains duplicate entries after mutating admission happens; ');
  });

  it.each([[undefined], [[]], [[owner('1')]]])('cannot be in %j', (references) => {
    expect(dedup(references)).toEqual({ kept: references, warnings: [] });
  });
});

it('are found among very many', () => {
  const references = Array.from({ length: 30_000 }, (_, i) => owner('1', { name: `o${i % 15_000}` }));
  expect(dedup(references).kept).toHaveLength(15_000);
});
