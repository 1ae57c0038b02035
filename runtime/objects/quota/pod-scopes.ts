/** Decides whether a pod is in a scope of a quota. */
import type { JsonObject } from '../../contract/index.js';
import { objectAt, objectsAt, stringAt } from '../guards.js';
import { amountsAt } from './amounts.js';
import type { ScopeCondition } from './evaluator.js';

/** The scopes that either hold for a pod or do not. */
const tests: Readonly<Record<string, (spec: JsonObject | undefined) => boolean>> = {
  Terminating: isTerminating,
  NotTerminating: (spec) => !isTerminating(spec),
  BestEffort: isBestEffort,
  NotBestEffort: (spec) => !isBestEffort(spec),
  CrossNamespacePodAffinity: looksAcrossNamespaces,
};

export function podInScope(pod: JsonObject, condition: ScopeCondition): boolean {
  const spec = objectAt(pod, 'spec');
  if (condition.scopeName === 'PriorityClass') return hasPriority(stringAt(spec, 'priorityClassName'), condition);
  return tests[condition.scopeName]?.(spec) ?? false;
}

function hasPriority(name: string, { operator, values }: ScopeCondition): boolean {
  switch (operator) {
    case 'In':
      return name !== '' && values.includes(name);
    case 'NotIn':
      return !values.includes(name) || name === '';
    case 'Exists':
      return name !== '';
    case 'DoesNotExist':
      return name === '';
    default:
      return false;
  }
}

/** Returns whether the running time of the pod is limited. */
function isTerminating(spec: JsonObject | undefined): boolean {
  const deadline = spec?.activeDeadlineSeconds;
  return (typeof deadline === 'number' || typeof deadline === 'bigint') && deadline >= 0;
}

/**
 * Returns whether no container requests or limits processors or memory. If memory is short, nodes evict such pods
 * first.
 */
export function isBestEffort(spec: JsonObject | undefined): boolean {
  const containers = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
  return !containers.some((container) => {
    const resources = objectAt(container, 'resources');
    return ['requests', 'limits'].some((key) => {
      const amounts = amountsAt(resources, key);
      return ['cpu', 'memory'].some((name) => (amounts.get(name)?.digits ?? 0n) > 0n);
    });
  });
}

/** Returns whether a rule about nearby pods also covers other namespaces. */
function looksAcrossNamespaces(spec: JsonObject | undefined): boolean {
  const affinity = objectAt(spec, 'affinity');
  return ['podAffinity', 'podAntiAffinity'].some((kind) => {
    const rules = objectAt(affinity, kind);
    const preferred = objectsAt(rules, 'preferredDuringSchedulingIgnoredDuringExecution');
    const terms: readonly JsonObject[] = [
      ...objectsAt(rules, 'requiredDuringSchedulingIgnoredDuringExecution'),
      ...preferred.map((term) => objectAt(term, 'podAffinityTerm') ?? {}),
    ];
    return terms.some(({ namespaces, namespaceSelector }) => {
      const named = Array.isArray(namespaces) && namespaces.length > 0;
      return named || (namespaceSelector !== undefined && namespaceSelector !== null);
    });
  });
}
