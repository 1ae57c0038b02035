import { describe, expect, it } from 'vitest';
import { uncovered } from '../../../../../plugins/authorization/rbac/coverage.js';
import type { PolicyRule } from '../../../../../plugins/authorization/rbac/rule-table.js';

const rule = (verbs: string, resources: string, more: Partial<PolicyRule> = {}): PolicyRule => ({
  verbs: verbs.split(' '),
  apiGroups: [''],
  resources: resources.split(' '),
  resourceNames: [],
  nonResourceURLs: [],
  ...more,
});
const paths = (verbs: string, urls: string): PolicyRule =>
  rule(verbs, 'x', { apiGroups: [], resources: [], nonResourceURLs: urls.split(' ') });

describe('rules', () => {
  it.each<[string, PolicyRule[], PolicyRule[]]>([
    ['themselves', [rule('get list', 'pods')], [rule('get list', 'pods')]],
    ['parts of themselves', [rule('get list', 'pods nodes')], [rule('list', 'nodes')]],
    ['what several hold together', [rule('get', 'pods'), rule('list', 'pods')], [rule('get list', 'pods')]],
    ['by all of a kind', [rule('*', '*', { apiGroups: ['*'] })], [rule('* get', 'a/b', { apiGroups: ['g'] })]],
    ['subresources of all', [rule('get', '*/status')], [rule('get', 'pods/status')]],
    ['names', [rule('get', 'pods')], [rule('get', 'pods', { resourceNames: ['a'] })]],
    [
      'the name that is empty',
      [rule('list', 'pods', { resourceNames: ['', 'a'] })],
      [rule('list', 'pods', { resourceNames: [''] })],
    ],
    ['paths', [paths('get', '/a /b*')], [paths('get', '/a /b /b/c /b*')]],
    ['nothing', [], [rule('get', 'pods', { resources: [] })]],
  ])('cover %s', (_what, held, wanted) => expect(uncovered(held, wanted)).toEqual([]));

  it.each<[PolicyRule[], PolicyRule[], string[]]>([
    [[], [rule('get list', 'pods')], ['{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}']],
    [[rule('get', 'pods')], [rule('*', 'pods')], ['{APIGroups:[""], Resources:["pods"], Verbs:["*"]}']],
    [[rule('get', 'pods')], [rule('get', '*')], ['{APIGroups:[""], Resources:["*"], Verbs:["get"]}']],
    [[rule('get', 'pods')], [rule('get', 'pods/log')], ['{APIGroups:[""], Resources:["pods/log"], Verbs:["get"]}']],
    [
      [rule('get', 'pods', { resourceNames: ['a'] })],
      [rule('get', 'pods', { resourceNames: ['a', 'b'] }), rule('get', 'pods')],
      [
        '{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}',
        '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
      ],
    ],
    [
      [paths('get', '/a*')],
      [paths('get post', '/a'), paths('get', '*')],
      ['{NonResourceURLs:["*"], Verbs:["get"]}', '{NonResourceURLs:["/a"], Verbs:["post"]}'],
    ],
    [
      [rule('*', '*', { apiGroups: ['*'] })],
      [rule('*', '*', { apiGroups: ['*'], nonResourceURLs: ['/x'] })],
      ['{NonResourceURLs:["/x"], Verbs:["*"]}'],
    ],
  ])('do not cover more, case %#', (held, wanted, missing) => expect(uncovered(held, wanted)).toEqual(missing));

  it('count as uncovered if there are too many to compare, unless one rule covers them all', () => {
    const many = Array.from({ length: 500 }, (_, i) => `x${i}`);
    const huge = rule('get', 'x', { verbs: many, resources: many, apiGroups: many });
    expect(uncovered([huge], [huge])).toHaveLength(1);
    expect(uncovered([rule('*', '*', { apiGroups: ['*'] })], [huge])).toEqual([]);
  });

  it('are compared up to the number in a request', () => {
    const many = Array.from({ length: 20_000 }, (_, i) => rule('get', 'pods', { resourceNames: [`x${i}`] }));
    expect(uncovered(many, many)).toEqual([]);
    expect(uncovered(many, [...many, rule('get', 'pods', { resourceNames: ['other'] })])).toHaveLength(1);
  });

  it('count as uncovered if comparing them takes too long', () => {
    const many = Array.from({ length: 20_000 }, (_, i) => rule('get', 'pods', { apiGroups: [`g${i}`] }));
    const missing = uncovered(many, many);
    expect(missing.length).toBeGreaterThan(0);
    expect(missing.length).toBeLessThan(many.length);
  });
});
