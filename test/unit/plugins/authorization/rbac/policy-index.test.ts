import { describe, expect, it } from 'vitest';
import { Aggregation, gatheredRules, PolicyIndex } from '../../../../../plugins/authorization/rbac/policy-index.js';

const role = (name: string, labels: Record<string, string>, gathers?: Record<string, string>, resource = name) => ({
  metadata: { name, labels },
  rules: gathers ? [] : [{ apiGroups: [''], resources: [resource], verbs: ['get'] }],
  ...(gathers ? { aggregationRule: { clusterRoleSelectors: [{ matchLabels: gathers }] } } : {}),
});

describe('gathered rules', () => {
  it('are the rules of the other selected roles, sorted by name, each once', () => {
    const whole = role('a', { x: '1' }, { x: '1' });
    const roles = [
      whole,
      role('c', { x: '1' }),
      role('b', { x: '1' }),
      role('d', { x: '1' }, undefined, 'c'),
      role('e', {}),
    ];
    expect(gatheredRules(whole, roles)?.map(({ resources }) => resources)).toEqual([['b'], ['c']]);
  });

  it('are empty if a selector is malformed, and undefined without selectors', () => {
    const mistaken = {
      metadata: { name: 'm' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { '/': '1' } }] },
    };
    expect(gatheredRules(mistaken, [role('b', { '/': '1' })])).toEqual([]);
    expect(gatheredRules(role('b', {}), [])).toBeUndefined();
    expect(gatheredRules({ ...mistaken, aggregationRule: {} }, [])).toBeUndefined();
  });
});

it('finds parts through any number of steps and through circles', () => {
  const aggregation = new Aggregation();
  aggregation.set('admin', role('admin', { to: 'view' }, { to: 'admin' }));
  aggregation.set('edit', role('edit', { to: 'admin' }, { to: 'edit' }));
  aggregation.set('view', role('view', { to: 'edit' }, { to: 'view' }));
  aggregation.set('other', role('other', {}));
  expect([...aggregation.partsOf('edit')].sort()).toEqual(['admin', 'edit', 'view']);
  aggregation.set('view', undefined);
  expect([...aggregation.partsOf('admin')]).toEqual(['admin', 'edit']);
});

it('judges a role by its future rules', () => {
  const index = new PolicyIndex();
  index.setRole('', 'whole', role('whole', {}, { part: 'yes' }));
  index.setRole('', 'pods', role('pods', { part: 'yes' }));
  const whole = { kind: 'ClusterRole', name: 'whole', namespace: '' };
  expect(index.rulesOfRole(whole)).toEqual([]);
  expect(index.rulesToCome(whole)).toMatchObject([{ resources: ['pods'] }]);
  expect(index.rulesToCome({ ...whole, name: 'none' })).toBeUndefined();
});
