/** The part of policies, bindings and webhooks that says which requests they are about. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { getOwn, isArray, isObject, isStringArray, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { everything, type LabelSelector, labelSelectorOf } from '../../../runtime/objects/selectors/labels.js';

/** A rule of which requests something is about. `*` stands for all. */
export interface ResourceRule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  /** As in `pods`, `pods/status`, `*` and `pods/*`. */
  readonly resources: readonly string[];
  readonly scope: string;
  /** Empty for all names. */
  readonly resourceNames: readonly string[];
}

/** Which requests a policy, a binding or a webhook is about. */
export interface MatchResources {
  /** Empty for all that a binding's policy is about. */
  readonly rules: readonly ResourceRule[];
  readonly exclude: readonly ResourceRule[];
  /** Whether rules are also about the same objects in other versions. */
  readonly equivalent: boolean;
  readonly namespaces: LabelSelector;
  readonly objects: LabelSelector;
}

export const ruleOf = (rule: JsonObject): ResourceRule => ({
  operations: stringsAt(rule, 'operations'),
  apiGroups: stringsAt(rule, 'apiGroups'),
  apiVersions: stringsAt(rule, 'apiVersions'),
  resources: stringsAt(rule, 'resources'),
  scope: stringAt(rule, 'scope') || '*',
  resourceNames: stringsAt(rule, 'resourceNames'),
});

/** The selector at a key; one that is not there selects all, and so does one that nothing could have stored. */
export function selectorAt(parent: JsonObject | undefined, key: string): LabelSelector {
  const selector = objectAt(parent, key);
  const read = selector === undefined ? undefined : labelSelectorOf(selector);
  return read?.ok ? read.value : everything;
}

export function stringsAt(parent: JsonObject | undefined, key: string): readonly string[] {
  const list = parent === undefined ? undefined : getOwn(parent, key);
  return isArray(list) && isStringArray(list) ? list : [];
}

/** The items of a list, each read as an object, so that places stay right. */
export function objectsAt(parent: JsonObject | undefined, key: string): readonly JsonObject[] {
  const list = parent === undefined ? undefined : getOwn(parent, key);
  return isArray(list) ? list.map((item) => (isObject(item) ? item : {})) : [];
}
