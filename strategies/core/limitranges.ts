/** LimitRange: the bounds of resources, and the defaults that follow from them for containers. */
import { defineLimitRangeHandlers } from '../../generated/core/v1/limitranges/handlers.js';
import type { LimitRangeItem } from '../../generated/types/core/v1/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, required } from '../../runtime/objects/field-error.js';
import { qualifiedNameCheck } from '../../runtime/objects/names/key-names.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { roundUpAmounts } from '../shared/resource-list.js';
import { type ResourceNames, resourceNameErrors, resourceNamesOf } from '../shared/resource-names.js';
import { boundErrors } from './limit-bounds.js';

type Item = Draft<LimitRangeItem>;

/** Types of the platform itself; others have a domain before them. */
const standardTypes: ReadonlySet<string> = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);

/** The lists of one item, in the order in which they are checked. */
const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

export function defineLimitRanges(names: Naming): KindHandlers {
  const resources = resourceNamesOf(names);
  return defineLimitRangeHandlers({
    repeatsMetadataErrors: true,
    canonicalize({ spec }) {
      for (const item of spec?.limits ?? []) {
        if (item.type === 'Container') fillIn(item);
        for (const list of lists) roundUpAmounts(item[list]);
      }
    },
    validate: ({ spec }) => limitErrors(spec?.limits ?? [], resources),
  });
}

/** Limits are by default the largest that are allowed; requests are the limits, and the least where there are none. */
function fillIn(item: Item): void {
  copyMissing(item, 'max', 'default');
  copyMissing(item, 'default', 'defaultRequest');
  copyMissing(item, 'min', 'defaultRequest');
}

function copyMissing(item: Item, from: (typeof lists)[number], to: 'default' | 'defaultRequest'): void {
  const given = item[from] ?? {};
  // Values that are there stay, at their place.
  if (Object.keys(given).length > 0) item[to] = { ...item[to], ...given, ...item[to] };
}

/** There is one limit per type. */
function limitErrors(limits: readonly Item[], resources: ResourceNames): readonly FieldError[] {
  const seen = new Set<string>();
  return limits.flatMap((item, i) => {
    const path = `spec.limits[${i}]`;
    const { type = '' } = item;
    const again = seen.has(type) ? [duplicate(`${path}.type`, type)] : [];
    seen.add(type);
    return [
      ...typeErrors(type, `${path}.type`),
      ...again,
      ...nameErrors(item, path, resources),
      ...boundErrors(item, path, resources),
    ];
  });
}

/** A type is one of the platform's, or has a domain. */
function typeErrors(type: string, path: string): readonly FieldError[] {
  const problems = qualifiedNameCheck(type);
  if (problems.length > 0) return problems.map((problem) => invalidValue(path, type, problem));
  if (type.includes('/') || standardTypes.has(type)) return [];
  return [invalidValue(path, type, 'must be a standard limit type or fully qualified')];
}

/** The names in each list are those of resources; limits of pods have no defaults. */
function nameErrors(item: Item, path: string, resources: ResourceNames): readonly FieldError[] {
  const ofPods = item.type === 'Pod';
  const check = ofPods || item.type === 'Container' ? resources.containerErrors : resourceNameErrors;
  return lists.flatMap((list) => {
    const names = Object.keys(item[list] ?? {});
    if (ofPods && (list === 'default' || list === 'defaultRequest')) {
      return names.length > 0 ? [forbidden(`${path}.${list}`, "may not be specified when `type` is 'Pod'")] : [];
    }
    const before = list === 'maxLimitRequestRatio' ? claimErrors(item, path) : [];
    return [...before, ...names.flatMap((name) => check(name, `${path}.${list}[${name}]`))];
  });
}

/** Limits of claims bound the storage. */
function claimErrors({ type, min, max }: Item, path: string): readonly FieldError[] {
  if (type !== 'PersistentVolumeClaim' || (min?.storage ?? max?.storage) !== undefined) return [];
  return [required(`${path}.limits`, 'either minimum or maximum storage value is required, but neither was provided')];
}
