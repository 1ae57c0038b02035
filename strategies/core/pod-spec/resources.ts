/** The resources that containers request, and their limits. */
import type {
  ContainerResizePolicy,
  PodSpec,
  ResourceClaim,
  ResourceRequirements,
} from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import { quote } from '../../../runtime/objects/printing.js';
import type { Release } from '../../../runtime/objects/release.js';
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityInUnits,
} from '../../../runtime/objects/scan/quantity.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import {
  amountErrors,
  amountsOf,
  hugePages,
  isHugePages,
  isWholeAmount,
  type ResourceNames,
  resourceNamesOf,
} from '../../shared/resources.js';

/** The claim names that containers may use. */
export type ClaimNames = ReadonlySet<string>;

/** Checks requests and limits; by default, they may name the resources of containers. */
export function* checkResources(
  requirements: Draft<ResourceRequirements>,
  path: string,
  names: Naming,
  claimNames: ClaimNames,
  nameErrors: (name: string, path: string) => FieldErrors = resourceNamesOf(names).containerErrors,
): FieldErrors {
  const resources = resourceNamesOf(names);
  const limits = amountsOf(requirements.limits);
  const requests = amountsOf(requirements.requests);
  for (const [name, amount] of limits) {
    yield* nameErrors(name, `${path}.limits[${name}]`);
    yield* checkAmount(name, amount, `${path}.limits[${name}]`, resources);
  }
  for (const [name, amount] of requests) {
    yield* nameErrors(name, `${path}.requests[${name}]`);
    yield* checkAmount(name, amount, `${path}.requests[${name}]`, resources);
    yield* checkAgainstLimit(name, amount, limits.get(name), path, resources);
  }
  const asked = [...limits.keys(), ...requests.keys()];
  if (asked.some(isHugePages) && !asked.some((name) => name === 'cpu' || name === 'memory')) {
    yield forbidden(path, 'HugePages require cpu or memory');
  }
  yield* checkClaims(requirements.claims, `${path}.claims`, claimNames);
}

function* checkAmount(name: string, amount: Quantity, path: string, resources: ResourceNames): FieldErrors {
  yield* amountErrors(name, amount, path, resources);
  if (!isHugePages(name) || isWholePages(name, amount)) return;
  const shown = formatQuantity(amount);
  yield invalidValue(path, shown, `${shown} is not positive integer multiple of ${name}`);
}

/** Returns whether an amount is a whole number of pages. The resource's name contains the page size. */
function isWholePages(name: string, amount: Quantity): boolean {
  const size = parseQuantity(name.slice(hugePages.length));
  if (!size.ok || size.value.digits <= 0n || !isWholeAmount(size.value)) return false;
  return quantityInUnits(amount) % quantityInUnits(size.value) === 0n;
}

function* checkAgainstLimit(
  name: string,
  amount: Quantity,
  limit: Quantity | undefined,
  path: string,
  { mayBeOvercommitted }: ResourceNames,
): FieldErrors {
  const divisible = mayBeOvercommitted(name);
  if (limit === undefined) {
    if (!divisible) yield required(`${path}.limits`, 'Limit must be set for non overcommitable resources');
    return;
  }
  const compared = compareQuantities(amount, limit);
  const rule = divisible ? 'less than or equal' : 'equal';
  if (divisible ? compared <= 0 : compared === 0) return;
  const problem = `must be ${rule} to ${name} limit of ${formatQuantity(limit)}`;
  yield invalidValue(`${path}.requests`, formatQuantity(amount), problem);
}

function* checkClaims(claims: readonly Draft<ResourceClaim>[] = [], path: string, claimNames: ClaimNames): FieldErrors {
  const seen = new Set<string>();
  for (const [i, { name = '' }] of claims.entries()) {
    const at = `${path}[${i}]`;
    if (name === '') {
      yield required(at);
      continue;
    }
    if (seen.has(name)) yield duplicate(at, name);
    seen.add(name);
    if (claimNames.has(name)) continue;
    const listed = claimNames.size === 0 ? ' which is empty' : `: ${[...claimNames].sort().join(', ')}`;
    const message = `Not found: ${quote(name)}: must be one of the names in pod.spec.resourceClaims${listed}`;
    yield { reason: 'FieldValueNotFound', field: at, message };
  }
}

const resizable = ['cpu', 'memory'] as const;
const resizeRestarts = ['NotRequired', 'RestartContainer'] as const;

/** Checks what happens if resources of a running container change. Errors about one policy name the list. */
export function* checkResizePolicy(
  policies: readonly Draft<ContainerResizePolicy>[] = [],
  path: string,
  { restartPolicy: ofPod }: Draft<PodSpec>,
  release: Release,
): FieldErrors {
  const neverRestarts = ofPod === 'Never' && release.does('podsResize');
  const seen = new Set<string>();
  for (const [i, { resourceName = '', restartPolicy = '' }] of policies.entries()) {
    if (seen.has(resourceName)) yield duplicate(`${path}[${i}]`, resourceName);
    seen.add(resourceName);
    yield* checkListed(path, resourceName, resizable);
    yield* checkListed(path, restartPolicy, resizeRestarts);
    if (!neverRestarts || restartPolicy === 'NotRequired') continue;
    yield invalidValue(path, restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
  }
}

function* checkListed(path: string, value: string, choices: readonly string[]): FieldErrors {
  if (value === '') yield required(path);
  else if (!choices.includes(value)) yield notSupported(path, value, choices);
}
