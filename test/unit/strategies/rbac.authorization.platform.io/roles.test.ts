import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { defineClusterRoles } from '../../../../strategies/rbac.authorization.platform.io/clusterroles.js';
import { defineRoles } from '../../../../strategies/rbac.authorization.platform.io/roles.js';
import { contextOf } from '../../../support/handlers-suite.js';

const sound = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const role = (kind: string, body: JsonObject): ApiObject => ({
  apiVersion: 'rbac.authorization.platform.io/v1',
  kind,
  metadata: { name: 'r' },
  ...body,
});
const namespaced = defineRoles();
const cluster = defineClusterRoles();

const problems = (handlers: typeof cluster, body: JsonObject) =>
  (handlers.validate?.(role('Role', body), contextOf()) ?? []).map(({ field, message }) => `${field}: ${message}`);

describe('rules of roles', () => {
  const noVerb = 'rules[0].verbs: Required value: verbs must contain at least one value';
  const noGroup = 'rules[0].apiGroups: Required value: resource rules must supply at least one api group';
  const noResource = 'rules[0].resources: Required value: resource rules must supply at least one resource';
  const onPaths = 'rules[0].nonResourceURLs: Invalid value: []string{"/x"}: ';
  const both = `${onPaths}rules cannot apply to both regular resources and non-resource URLs`;
  const within = `${onPaths}namespaced rules cannot apply to non-resource URLs`;

  it.each([
    [sound, [], []],
    [{}, [noVerb, noGroup, noResource], [noVerb, noGroup, noResource]],
    [{ ...sound, apiGroups: [] }, [noGroup], [noGroup]],
    [{ verbs: ['get'], nonResourceURLs: ['/x'] }, [], [within]],
    [{ ...sound, nonResourceURLs: ['/x'] }, [both], [within, both]],
  ])('%j', (rule, ofCluster, ofNamespace) => {
    expect(problems(cluster, { rules: [rule] })).toEqual(ofCluster);
    expect(problems(namespaced, { rules: [rule] })).toEqual(ofNamespace);
  });
});

describe('aggregation', () => {
  const path = 'aggregationRule.clusterRoleSelectors';
  it.each([
    [{}, [`${path}: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil`]],
    [{ clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] }, []],
    [
      { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Near' }] }] },
      [`${path}[0].matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator`],
    ],
  ])('%j', (aggregationRule, expected) => expect(problems(cluster, { aggregationRule })).toEqual(expected));
});
