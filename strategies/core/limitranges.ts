/** LimitRange: which bounds fit together, and what they mean for containers that say nothing. */
import type { ApiObject, FieldError, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, required } from '../../runtime/objects/field-error.js';
import { isObject, objectAt, setOwn, stringAt } from '../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../runtime/objects/key-names.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { objectsAt } from '../shared/reading.js';
import { roundUpAmounts } from '../shared/resource-list.js';
import { type ResourceNames, resourceNameErrors, resourceNamesOf } from '../shared/resource-names.js';
import { boundErrors } from './limit-bounds.js';

/** Types of the platform itself; others have a domain before them. */
const standardTypes: ReadonlySet<string> = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);

/** The lists of one item, in the order in which they are checked. */
const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

export function defineLimitRangeStrategy(names: Naming): Strategy {
  const resources = resourceNamesOf(names);
  return {
    kind: 'LimitRange',
    repeatsMetadataErrors: true,
    canonicalize(object) {
      for (const item of itemsOf(object)) canonicalizeItem(item);
    },
    validate: (object) => rangeErrors(object, resources),
  };
}

const itemsOf = (object: ApiObject): readonly JsonObject[] => objectsAt(objectAt(object, 'spec'), 'limits');

function canonicalizeItem(item: JsonObject): void {
  if (stringAt(item, 'type') === 'Container') fillIn(item);
  for (const list of lists) roundUpAmounts(objectAt(item, list));
}

/** Limits are at most what is allowed, requests are the limits, and the least where there are none. */
function fillIn(item: JsonObject): void {
  copyMissing(item, 'max', 'default');
  copyMissing(item, 'default', 'defaultRequest');
  copyMissing(item, 'min', 'defaultRequest');
}

function copyMissing(item: JsonObject, from: string, to: string): void {
  const given = Object.entries(objectAt(item, from) ?? {});
  if (given.length === 0 || (item[to] !== undefined && item[to] !== null && !isObject(item[to]))) return;
  const filled = { ...objectAt(item, to) };
  for (const [name, amount] of given) {
    if (amount !== undefined && !Object.hasOwn(filled, name)) setOwn(filled, name, amount);
  }
  item[to] = filled;
}

function rangeErrors(object: ApiObject, resources: ResourceNames): readonly FieldError[] {
  const seen = new Set<string>();
  return itemsOf(object).flatMap((item, i) => {
    const field = `spec.limits[${i}]`;
    const type = stringAt(item, 'type');
    const again = seen.has(type) ? [duplicate(`${field}.type`, type)] : [];
    seen.add(type);
    return [
      ...typeErrors(type, `${field}.type`),
      ...again,
      ...nameErrors(item, type, field, resources),
      ...boundErrors(item, field, resources),
    ];
  });
}

function typeErrors(type: string, field: string): readonly FieldError[] {
  const problems = qualifiedNameCheck(type);
  if (problems.length > 0) return problems.map((problem) => invalidValue(field, type, problem));
  if (type.includes('/') || standardTypes.has(type)) return [];
  return [invalidValue(field, type, 'must be a standard limit type or fully qualified')];
}

function nameErrors(item: JsonObject, type: string, field: string, resources: ResourceNames): readonly FieldError[] {
  const check = type === 'Pod' || type === 'Container' ? resources.containerErrors : resourceNameErrors;
  const namesIn = (list: string): readonly string[] => Object.keys(objectAt(item, list) ?? {});
  return lists.flatMap((list) => {
    const before = list === 'maxLimitRequestRatio' && type === 'PersistentVolumeClaim' ? claimErrors(item, field) : [];
    const inPods = type === 'Pod' && (list === 'default' || list === 'defaultRequest');
    if (inPods) return namesIn(list).length > 0 ? [notForPods(`${field}.${list}`)] : [];
    return [...before, ...namesIn(list).flatMap((name) => check(name, `${field}.${list}[${name}]`))];
  });
}

const notForPods = (field: string): FieldError => forbidden(field, "may not be specified when `type` is 'Pod'");

function claimErrors(item: JsonObject, field: string): readonly FieldError[] {
  if ([objectAt(item, 'min'), objectAt(item, 'max')].some((list) => list?.storage !== undefined)) return [];
  return [required(`${field}.limits`, 'either minimum or maximum storage value is required, but neither was provided')];
}
