/** The resources that all containers of a pod need and may use together. */
import type { PodSpec, ResourceRequirements } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported } from '../../../runtime/objects/field-error.js';
import { setOwn } from '../../../runtime/objects/guards.js';
import { type Amounts, amountsTogether } from '../../../runtime/objects/quota/amounts.js';
import { compareQuantities, formatQuantity, type Quantity } from '../../../runtime/objects/scan/quantity.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import { amountsOf, hugePages, isHugePages, resourceNameErrors } from '../../shared/resources.js';
import type { Serving } from '../../shared/serving.js';
import { checkResources } from './resources.js';
import { isSidecar } from './restart-rules.js';

const supported = ['cpu', hugePages, 'memory'] as const;

/** Returns whether a pod can request a resource as a whole. */
const isOfPods = (name: string): boolean => name === 'cpu' || name === 'memory' || isHugePages(name);

/** Checks the resources of a pod, also against its containers. */
export function* checkPodResources(spec: Draft<PodSpec>, path: string, { names }: Serving): FieldErrors {
  const { resources = {}, os } = spec;
  const at = `${path}.resources`;
  if (os?.name === 'windows') {
    yield forbidden(at, 'may not be set for a windows pod');
    return;
  }
  if (resources.claims) yield forbidden(`${at}.claims`, 'claims may not be set for Resources at pod-level');
  yield* checkResources(resources, at, names, new Set(), nameErrors);
  yield* checkSums(spec, resources, at);
}

function* nameErrors(name: string, path: string): FieldErrors {
  const errors = resourceNameErrors(name, path);
  yield* errors;
  if (errors.length === 0 && !isOfPods(name)) yield notSupported(path, name, supported);
}

/** A pod requests at least what its containers request; none of them may use more than the pod. */
function* checkSums(spec: Draft<PodSpec>, resources: Draft<ResourceRequirements>, path: string): FieldErrors {
  const requests = amountsOf(resources.requests);
  const limits = amountsOf(resources.limits);
  for (const [name, sum] of totalOf(spec, 'requests')) {
    yield* checkAtLeast(requests.get(name), sum, `${path}.requests[${name}]`, 'requests');
  }
  for (const [name, sum] of totalOf(spec, 'limits')) {
    if (isHugePages(name)) yield* checkAtLeast(limits.get(name), sum, `${path}.limits[${name}]`, 'limits');
  }
  for (const [i, { resources: own }] of (spec.containers ?? []).entries()) {
    for (const [name, amount] of amountsOf(own?.limits)) {
      const limit = limits.get(name);
      if (!limit || compareQuantities(amount, limit) <= 0) continue;
      const problem = `must be less than or equal to pod limits of ${formatQuantity(limit)}`;
      // As in the reference, the path is below the resources of the pod.
      yield invalidValue(`${path}.containers[${i}][${name}].limits`, formatQuantity(amount), problem);
    }
  }
}

function* checkAtLeast(
  amount: Quantity | undefined,
  sum: Quantity,
  path: string,
  kind: 'limits' | 'requests',
): FieldErrors {
  if (!amount || compareQuantities(sum, amount) <= 0) return;
  const problem = `must be greater than or equal to aggregate container ${kind} of ${formatQuantity(sum)}`;
  yield invalidValue(path, formatQuantity(amount), problem);
}

/** Returns what the containers of a pod need at most at a time. */
function totalOf(spec: Draft<PodSpec>, kind: 'limits' | 'requests'): Amounts {
  return amountsTogether(spec, ({ resources }) => amountsOf(resources?.[kind]), isSidecar);
}

/** By default, a pod requests what its containers request; if they request nothing, as much as its limit. In place. */
export function defaultPodRequests(spec: Draft<PodSpec>): void {
  const { resources } = spec;
  if (!resources) return;
  const requests: Record<string, string> = { ...resources.requests };
  const fill = (name: string, amount: string): void => {
    if (isOfPods(name) && !Object.hasOwn(requests, name)) setOwn(requests, name, amount);
  };
  for (const [name, sum] of totalOf(spec, 'requests')) fill(name, formatQuantity(sum));
  for (const [name, limit] of Object.entries(resources.limits ?? {})) fill(name, limit);
  if (Object.keys(requests).length > 0) resources.requests = requests;
}
