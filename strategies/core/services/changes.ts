/** How a service may change. */
import type { FieldError } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue, stringList } from '../../../runtime/objects/field-error.js';
import {
  clusterIPsOf,
  familiesOf,
  healthCheckPortOf,
  isHeadless,
  isLoadBalancer,
  needsClusterIP,
  needsHealthCheck,
  policyOf,
  type ServiceDraft,
} from './spec.js';
import { loadBalancerClassErrors } from './validation.js';

/** Checks a change. */
export function serviceUpdateErrors(service: ServiceDraft, old: ServiceDraft): readonly FieldError[] {
  return [...addressChanges(service, old), ...familyChanges(service, old), ...balancerChanges(service, old)];
}

/** The addresses never change, except for a second one that may come and go. */
function addressChanges(service: ServiceDraft, old: ServiceDraft): readonly FieldError[] {
  if (!needsClusterIP(service) || !needsClusterIP(old) || (isHeadless(service) && isHeadless(old))) return [];
  const now = clusterIPsOf(service);
  const change = (i: number, rule: string): FieldError => invalidValue(`spec.clusterIPs[${i}]`, stringList(now), rule);
  return changes(now, clusterIPsOf(old), {
    changed: (i) => change(i, 'may not change once set'),
    unset: () => change(0, 'primary clusterIP can not be unset'),
    isReleased: now.length === 1,
    released: () => releaseErrors(service, "must be set to 'SingleStack' when releasing the secondary clusterIP"),
  });
}

/** The families never change, except for a second one that may come and go. */
function familyChanges(service: ServiceDraft, old: ServiceDraft): readonly FieldError[] {
  if (!needsClusterIP(service) || !needsClusterIP(old) || isHeadless(service) || isHeadless(old)) return [];
  const now = familiesOf(service);
  const change = (rule: string): FieldError =>
    invalidValue('spec.ipFamilies[0]', stringList(now, '[]core.IPFamily'), rule);
  return changes(now, familiesOf(old), {
    changed: () => change('may not change once set'),
    unset: () => change('primary ipFamily can not be unset'),
    isReleased: now.length === 1,
    released: () => releaseErrors(service, "must be set to 'SingleStack' when releasing the secondary ipFamily"),
  });
}

interface ChangeRules {
  readonly changed: (i: number) => FieldError;
  readonly unset: () => FieldError;
  /** Whether the second entry was removed. */
  readonly isReleased: boolean;
  readonly released: () => readonly FieldError[];
}

/** Compares a list of at most two entries with the old one. */
function changes(now: readonly string[], before: readonly string[], rules: ChangeRules): readonly FieldError[] {
  if (now.length === before.length) return before.flatMap((one, i) => (one === now[i] ? [] : [rules.changed(i)]));
  const isOther = now.length > 0 && before.length > 0 && now[0] !== before[0];
  const first = isOther ? [rules.changed(0)] : [];
  if (now.length > before.length) return first;
  return [...(now.length === 0 ? [rules.unset()] : []), ...first, ...(rules.isReleased ? rules.released() : [])];
}

/** Only a single-stack service gives up its second family. */
function releaseErrors(service: ServiceDraft, rule: string): readonly FieldError[] {
  const policy = policyOf(service);
  return policy === 'SingleStack' ? [] : [invalidValue('spec.ipFamilyPolicy', policy, rule)];
}

/** The class of a load balancer and its health check port never change. */
function balancerChanges(service: ServiceDraft, old: ServiceDraft): readonly FieldError[] {
  const loadBalancerClass = service.spec?.loadBalancerClass;
  const stays = isLoadBalancer(service) && isLoadBalancer(old);
  const isOther = stays && loadBalancerClass !== old.spec?.loadBalancerClass;
  const isMoved =
    needsHealthCheck(service) && needsHealthCheck(old) && healthCheckPortOf(service) !== healthCheckPortOf(old);
  return [
    ...(isOther ? [invalidValue('spec.loadBalancerClass', loadBalancerClass, 'may not change once set')] : []),
    // As in the reference, the name is checked as part of the change and again as part of the whole.
    ...loadBalancerClassErrors(service),
    ...(isMoved ? [forbidden('spec.healthCheckNodePort', 'field is immutable')] : []),
  ];
}
