/** Resources that containers ask for and are limited to. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { isString, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../runtime/objects/key-names.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityInUnits,
} from '../../runtime/objects/quantity.js';
import { type FieldErrors, listAt, objectsAt } from './field-checks.js';

/** Amounts by the name of the resource. */
export function quantitiesAt(object: JsonObject | undefined, key: string): ReadonlyMap<string, Quantity> {
  const found = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(objectAt(object, key) ?? {})) {
    const quantity = isString(text) ? parseQuantity(text) : undefined;
    if (quantity?.ok) found.set(name, quantity.value);
  }
  return found;
}

const containerResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Resources of which there are so many, not so much. */
const countedResources: ReadonlySet<string> = new Set([
  ...['pods', 'services', 'replicationcontrollers', 'resourcequotas', 'secrets', 'configmaps'],
  ...['persistentvolumeclaims', 'services.nodeports', 'services.loadbalancers'],
]);

/** Resources that have a name of their own, though containers may not ask for all of them. */
const standardResources: ReadonlySet<string> = new Set([
  ...containerResources,
  ...['cpu', 'memory', 'ephemeral-storage', 'storage'].map((name) => `requests.${name}`),
  ...['cpu', 'memory', 'ephemeral-storage'].map((name) => `limits.${name}`),
  ...countedResources,
  'storage',
]);

const hugePages = 'hugepages-';

/** Whether a resource is memory in large pages. */
export const isHugePages = (name: string): boolean => name.startsWith(hugePages);

const domainsOf = ({ id }: Naming): string => (id === 'kubernetes' ? 'kubernetes.io/' : 'platform.io/');

/** Whether a resource is the server's own and not one that somebody added. */
const isNative = (name: string, names: Naming): boolean => !name.includes('/') || name.includes(domainsOf(names));

/** Whether more of a resource may be promised than there is. */
const mayOvercommit = (name: string, names: Naming): boolean => isNative(name, names) && !isHugePages(name);

/** The name of a resource that a container may ask for. */
function* checkResourceName(name: string, path: string, names: Naming): FieldErrors {
  const problems = qualifiedNameCheck(name);
  for (const problem of problems) yield invalidValue(path, name, problem);
  if (problems.length > 0) return;
  if (!name.includes('/')) {
    if (containerResources.has(name) || isHugePages(name)) return;
    if (!standardResources.has(name) && !name.startsWith('requests.hugepages-')) {
      yield invalidValue(path, name, 'must be a standard resource type or fully qualified');
    }
    yield invalidValue(path, name, 'must be a standard resource for containers');
  } else if (
    !isNative(name, names) &&
    (name.startsWith('requests.') || qualifiedNameCheck(`requests.${name}`).length)
  ) {
    yield invalidValue(path, name, "doesn't follow extended resource name standard");
  }
}

const zero: Quantity = { digits: 0n, exponent: 0, notation: 'decimal' };

/** An amount that may not be negative, and that is whole where the resource cannot be divided. */
export function* checkAmount(name: string, amount: Quantity, path: string, names: Naming): FieldErrors {
  if (compareQuantities(amount, zero) < 0) {
    yield invalidValue(path, formatQuantity(amount), 'must be greater than or equal to 0');
  }
  const divisible = isNative(name, names) && !countedResources.has(name);
  if (!divisible && !isWhole(amount)) yield invalidValue(path, formatQuantity(amount), 'must be an integer');
}

/** Whether an amount is whole, down to its thousandths. */
function isWhole({ digits, exponent }: Quantity): boolean {
  return exponent >= 0 || digits % 10n ** BigInt(-exponent) === 0n;
}

/** Names that a container's claims can have. */
export type ClaimNames = ReadonlySet<string>;

/** What a container asks for and is limited to, at the path of its `resources`. */
export function* checkResources(
  requirements: JsonObject,
  path: string,
  names: Naming,
  claimNames: ClaimNames,
): FieldErrors {
  const limits = quantitiesAt(requirements, 'limits');
  const requests = quantitiesAt(requirements, 'requests');
  for (const [name, amount] of limits) yield* checkEntry(name, amount, `${path}.limits`, names);
  for (const [name, amount] of requests) {
    yield* checkEntry(name, amount, `${path}.requests`, names);
    yield* checkAgainstLimit(name, amount, limits.get(name), path, names);
  }
  const asked = [...limits.keys(), ...requests.keys()];
  if (asked.some(isHugePages) && !asked.some((name) => name === 'cpu' || name === 'memory')) {
    yield forbidden(path, 'HugePages require cpu or memory');
  }
  yield* checkClaims(requirements, `${path}.claims`, claimNames);
}

function* checkEntry(name: string, amount: Quantity, path: string, names: Naming): FieldErrors {
  yield* checkResourceName(name, `${path}[${name}]`, names);
  yield* checkAmount(name, amount, `${path}[${name}]`, names);
  if (!isHugePages(name) || isWholePages(name, amount)) return;
  const shown = formatQuantity(amount);
  yield invalidValue(`${path}[${name}]`, shown, `${shown} is not positive integer multiple of ${name}`);
}

/** Whether an amount is that of whole pages, whose size is part of the name. */
function isWholePages(name: string, amount: Quantity): boolean {
  const size = parseQuantity(name.slice(hugePages.length));
  if (!size.ok || size.value.digits <= 0n || !isWhole(size.value)) return false;
  return quantityInUnits(amount) % quantityInUnits(size.value) === 0n;
}

function* checkAgainstLimit(
  name: string,
  amount: Quantity,
  limit: Quantity | undefined,
  path: string,
  names: Naming,
): FieldErrors {
  const divisible = mayOvercommit(name, names);
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
