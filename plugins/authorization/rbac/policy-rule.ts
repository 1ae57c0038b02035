/** The rules of roles, as they are stored. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { getOwn, isArray, isObject, isStringArray } from '../../../runtime/objects/guards.js';

/**
 * One rule: verbs on resources, or on paths that are none. `*` stands for all; a rule without names is for all names.
 */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** The rules of a Role or ClusterRole. */
export function rulesOf(role: JsonObject): readonly PolicyRule[] {
  const rules = getOwn(role, 'rules');
  return isArray(rules) ? rules.filter(isObject).map(readRule) : [];
}

const readRule = (rule: JsonObject): PolicyRule => ({
  verbs: texts(rule, 'verbs'),
  apiGroups: texts(rule, 'apiGroups'),
  resources: texts(rule, 'resources'),
  resourceNames: texts(rule, 'resourceNames'),
  nonResourceURLs: texts(rule, 'nonResourceURLs'),
});

function texts(rule: JsonObject, field: string): readonly string[] {
  const list = getOwn(rule, field);
  return isStringArray(list) ? list : [];
}
