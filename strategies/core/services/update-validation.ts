/** What a change of a Service may not do. */
import type { ApiObject, FieldError } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue, stringList } from '../../../runtime/objects/field-error.js';
import {
  clusterIPsOf,
  familiesOf,
  isHeadless,
  needsClusterIP,
  needsHealthCheck,
  numberAt,
  policyOf,
  specOf,
  typeOf,
} from './spec.js';
import { loadBalancerClassErrors } from './validation.js';

/** Errors of a change: addresses and their families stay, but for a second one that may come and go. */
export function serviceUpdateErrors(service: ApiObject, old: ApiObject): readonly FieldError[] {
  return [...addressChanges(service, old), ...familyChanges(service, old), ...balancerChanges(service, old)];
}

function addressChanges(service: ApiObject, old: ApiObject): FieldError[] {
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

function familyChanges(service: ApiObject, old: ApiObject): FieldError[] {
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
  /** Whether only the first is left. */
  readonly isReleased: boolean;
  readonly released: () => FieldError[];
}

/** Holds a list of at most two against what it was. */
function changes(now: readonly string[], before: readonly string[], rules: ChangeRules): FieldError[] {
  if (now.length === before.length) return before.flatMap((one, i) => (one === now[i] ? [] : [rules.changed(i)]));
  const isOther = now.length > 0 && before.length > 0 && now[0] !== before[0];
  const first = isOther ? [rules.changed(0)] : [];
  if (now.length > before.length) return first;
  return [...(now.length === 0 ? [rules.unset()] : []), ...first, ...(rules.isReleased ? rules.released() : [])];
}

function releaseErrors(service: ApiObject, rule: string): FieldError[] {
  const policy = policyOf(service);
  return policy === 'SingleStack' ? [] : [invalidValue('spec.ipFamilyPolicy', policy, rule)];
}

function balancerChanges(service: ApiObject, old: ApiObject): FieldError[] {
  const path = 'spec.loadBalancerClass';
  const [now, before] = [specOf(service), specOf(old)];
  const stays = typeOf(service) === 'LoadBalancer' && typeOf(old) === 'LoadBalancer';
  const isOther = stays && now.loadBalancerClass !== before.loadBalancerClass;
  const isMoved =
    needsHealthCheck(service) &&
    needsHealthCheck(old) &&
    numberAt(now, 'healthCheckNodePort') !== numberAt(before, 'healthCheckNodePort');
  return [
    ...(isOther ? [invalidValue(path, now.loadBalancerClass, 'may not change once set')] : []),
    // The name is checked as part of a change and again as part of the whole.
    ...loadBalancerClassErrors(service),
    ...(isMoved ? [forbidden('spec.healthCheckNodePort', 'field is immutable')] : []),
  ];
}
