/** Which requests policies are about. */
import type { FieldError, JsonObject } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { pathSegment } from '../../runtime/objects/names.js';
import { validateLabelSelector } from '../../runtime/objects/selectors/labels.js';
import { objectsAt, textsAt } from '../shared/reading.js';
import { admissionRuleErrors } from './admission-rules.js';

const policies = ['Equivalent', 'Exact'] as const;

/** What is wrong with them; `field` is the path that errors name. */
export function matchResourcesErrors(resources: JsonObject, field: string): readonly FieldError[] {
  return [
    ...policyErrors(stringAt(resources, 'matchPolicy'), `${field}.matchPolicy`),
    ...selectorErrors(objectAt(resources, 'namespaceSelector'), `${field}.namespaceSelector`),
    // Errors call the selector of objects so, unlike the field itself.
    ...selectorErrors(objectAt(resources, 'objectSelector'), `${field}.labelSelector`),
    ...['resourceRules', 'excludeResourceRules'].flatMap((list) =>
      objectsAt(resources, list).flatMap((rule, i) => ruleErrors(rule, `${field}.${list}[${i}]`)),
    ),
  ];
}

function policyErrors(policy: string, field: string): readonly FieldError[] {
  return policies.some((known) => known === policy) ? [] : [notSupported(field, policy, policies)];
}

const selectorErrors = (selector: JsonObject | undefined, field: string): readonly FieldError[] =>
  selector === undefined ? [required(field)] : validateLabelSelector(selector, field);

function ruleErrors(rule: JsonObject, field: string): readonly FieldError[] {
  const seen = new Set<string>();
  const names = textsAt(rule, 'resourceNames').flatMap((name, i) => {
    const at = `${field}.resourceNames[${i}]`;
    const again = seen.has(name) ? [duplicate(at, name)] : [];
    seen.add(name);
    return [...pathSegment(name).map((problem) => invalidValue(at, name, problem)), ...again];
  });
  return [...names, ...admissionRuleErrors(rule, field)];
}
