/** Names of resources that are counted: those of the platform, and those that others add. */
import type { FieldError } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { qualifiedNameCheck } from '../../runtime/objects/names/key-names.js';
import { extendedResources, nativeResources } from '../../runtime/objects/names/names.js';
import type { Naming } from '../../runtime/objects/naming.js';

const compute = ['cpu', 'memory', 'ephemeral-storage'] as const;

/** Numbers of objects. */
const counts = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
] as const;

const containerNames: ReadonlySet<string> = new Set(compute);
const countNames: ReadonlySet<string> = new Set(counts);
const quotaNames: ReadonlySet<string> = new Set([
  ...compute,
  ...compute.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'requests.storage',
  ...counts,
]);
const standardNames: ReadonlySet<string> = new Set([...quotaNames, 'storage']);

/** The prefix of names of memory in large pages; the size of a page follows. */
export const hugePages = 'hugepages-';

/** Whether a resource is memory in large pages. */
export const isHugePages = (name: string): boolean => name.startsWith(hugePages);

const isQuotaHugePages = (name: string): boolean => isHugePages(name) || name.startsWith('requests.hugepages-');

/** Whether a quota of the platform's own can be set for it. */
export const isQuotaResource = (name: string): boolean => quotaNames.has(name) || isQuotaHugePages(name);

/** Rules that depend on the names that are served, since these say which domain is the platform's own. */
export interface ResourceNames {
  /** Whether more of it may be promised than there is. */
  readonly mayBeOvercommitted: (name: string) => boolean;
  /** Whether it comes in whole units only. */
  readonly isCounted: (name: string) => boolean;
  /** Errors of the name of a resource that containers use. */
  readonly containerErrors: (name: string, field: string) => readonly FieldError[];
}

const known = new WeakMap<Naming, ResourceNames>();

/** The rules under these names: one and the same object each time. */
export function resourceNamesOf(names: Naming): ResourceNames {
  const before = known.get(names);
  if (before) return before;
  const rules = defineResourceNames(names);
  known.set(names, rules);
  return rules;
}

function defineResourceNames(names: Naming): ResourceNames {
  const [isNative, isExtended] = [nativeResources(names), extendedResources(names)];
  return {
    mayBeOvercommitted: (name) => isNative(name) && !isHugePages(name),
    isCounted: (name) => countNames.has(name) || isExtended(name),
    containerErrors: (name, field) => [...resourceNameErrors(name, field), ...unfit(name, field)],
  };

  function unfit(name: string, field: string): readonly FieldError[] {
    if (!name.includes('/')) {
      if (containerNames.has(name) || isHugePages(name)) return [];
      return [invalidValue(field, name, 'must be a standard resource for containers')];
    }
    if (isNative(name) || isExtended(name)) return [];
    return [invalidValue(field, name, "doesn't follow extended resource name standard")];
  }
}

/** Errors of the name of any resource. */
export function resourceNameErrors(name: string, field: string): readonly FieldError[] {
  const problems = qualifiedNameCheck(name);
  if (problems.length > 0) return problems.map((problem) => invalidValue(field, name, problem));
  if (name.includes('/') || standardNames.has(name) || isQuotaHugePages(name)) return [];
  return [invalidValue(field, name, 'must be a standard resource type or fully qualified')];
}

/** Errors of the name of a resource that quotas are about. */
export function quotaNameErrors(name: string, field: string): readonly FieldError[] {
  const errors = resourceNameErrors(name, field);
  if (name.includes('/') || isQuotaResource(name)) return errors;
  return [...errors, invalidValue(field, name, 'must be a standard resource for quota')];
}
