/** Resources that containers ask for and are limited to. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import { stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { quote } from '../../../runtime/objects/printing.js';
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityInUnits,
} from '../../../runtime/objects/quantity.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import { listAt, objectsAt } from '../../shared/reading.js';
import { amountErrors, amountsAt, isWholeAmount } from '../../shared/resource-list.js';
import { hugePages, isHugePages, type ResourceNames, resourceNamesOf } from '../../shared/resource-names.js';

/** Names that a container's claims can have. */
export type ClaimNames = ReadonlySet<string>;

/** What a container asks for and is limited to, at the path of its `resources`. */
export function* checkResources(
  requirements: JsonObject,
  path: string,
  names: Naming,
  claimNames: ClaimNames,
): FieldErrors {
  const resources = resourceNamesOf(names);
  const limits = amountsAt(requirements, 'limits');
  const requests = amountsAt(requirements, 'requests');
  for (const [name, amount] of limits) yield* checkEntry(name, amount, `${path}.limits`, resources);
  for (const [name, amount] of requests) {
    yield* checkEntry(name, amount, `${path}.requests`, resources);
    yield* checkAgainstLimit(name, amount, limits.get(name), path, resources);
  }
  const asked = [...limits.keys(), ...requests.keys()];
  if (asked.some(isHugePages) && !asked.some((name) => name === 'cpu' || name === 'memory')) {
    yield forbidden(path, 'HugePages require cpu or memory');
  }
  yield* checkClaims(requirements, `${path}.claims`, claimNames);
}

function* checkEntry(name: string, amount: Quantity, path: string, resources: ResourceNames): FieldErrors {
  yield* resources.containerErrors(name, `${path}[${name}]`);
  yield* amountErrors(name, amount, `${path}[${name}]`, resources);
  if (!isHugePages(name) || isWholePages(name, amount)) return;
  const shown = formatQuantity(amount);
  yield invalidValue(`${path}[${name}]`, shown, `${shown} is not positive integer multiple of ${name}`);
}

/** Whether an amount is that of whole pages, whose size is part of the name. */
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

function* checkClaims(requirements: JsonObject, path: string, claimNames: ClaimNames): FieldErrors {
  const seen = new Set<string>();
  for (const [i, claim] of objectsAt(requirements, 'claims').entries()) {
    const name = stringAt(claim, 'name');
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

/** What a change of a running container's resources does to it. */
export function* checkResizePolicy(container: JsonObject, path: string): FieldErrors {
  if (listAt(container, 'resizePolicy').length === 0) return;
  const seen = new Set<string>();
  for (const [i, policy] of objectsAt(container, 'resizePolicy').entries()) {
    const name = stringAt(policy, 'resourceName');
    if (seen.has(name)) yield duplicate(`${path}[${i}]`, name);
    seen.add(name);
    yield* checkListed(path, name, resizable);
    yield* checkListed(path, stringAt(policy, 'restartPolicy'), resizeRestarts);
  }
}

function* checkListed(path: string, value: string, choices: readonly string[]): FieldErrors {
  if (value === '') yield required(path);
  else if (!choices.includes(value)) yield notSupported(path, value, choices);
}
