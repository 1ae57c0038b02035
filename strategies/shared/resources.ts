/** Names and amounts of resources: how they are read, stored, printed and checked. */
import type { FieldError } from '../../runtime/contract/index.js';
import { invalidValue, Verbatim } from '../../runtime/objects/field-error.js';
import { setOwn } from '../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import { extendedResources, nativeResources } from '../../runtime/objects/names/names.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { formatQuantity, parseQuantity, type Quantity, quantityInUnits } from '../../runtime/objects/scan/quantity.js';

/** The smallest unit that is stored, as a power of ten. */
const finest = -3;

/** Reads amounts; texts that are not quantities are left out. */
export function amountsOf(list: Readonly<Record<string, string>> = {}): ReadonlyMap<string, Quantity> {
  const amounts = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(list)) {
    const amount = readAmount(text);
    if (amount !== undefined) amounts.set(name, amount);
  }
  return amounts;
}

function readAmount(text: string): Quantity | undefined {
  const read = parseQuantity(text);
  return read.ok ? read.value : undefined;
}

/** Rounds amounts up to a thousandth, in place, as they are stored. */
export function roundUpAmounts(list: Record<string, string> = {}): void {
  for (const [name, amount] of amountsOf(list)) {
    if (amount.exponent >= finest) continue;
    const digits = quantityInUnits(amount, finest);
    if (digits * 10n ** BigInt(finest - amount.exponent) === amount.digits) continue;
    setOwn(list, name, formatQuantity({ digits, exponent: finest, notation: amount.notation }));
  }
}

const formats = { decimal: 'DecimalSI', binary: 'BinarySI', exponent: 'DecimalExponent' } as const;

/** Prints a quantity as messages do. */
export function printedQuantity(quantity: Quantity): Verbatim {
  const text = formatQuantity(quantity);
  const amount = `resource.int64Amount{value:${quantity.digits}, scale:${quantity.exponent}}`;
  const form = `s:${quote(text)}, Format:"${formats[quantity.notation]}"`;
  return new Verbatim(
    `resource.Quantity{i:${amount}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, ${form}}`,
    quote(text),
  );
}

/** Returns whether an amount is whole, as far as it is stored. */
export const isWholeAmount = (amount: Quantity): boolean => quantityInUnits(amount, finest) % 1000n === 0n;

/** An amount is not negative, and whole if the resource is counted. */
export function amountErrors(
  name: string,
  amount: Quantity,
  field: string,
  { isCounted }: Pick<ResourceNames, 'isCounted'>,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (amount.digits < 0n) {
    errors.push(invalidValue(field, formatQuantity(amount), 'must be greater than or equal to 0'));
  }
  if (isCounted(name) && !isWholeAmount(amount)) {
    errors.push(invalidValue(field, printedQuantity(amount), 'must be an integer'));
  }
  return errors;
}

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

/** The name prefix of memory in large pages; the page size follows. */
export const hugePages = 'hugepages-';

/** Returns whether a resource is memory in large pages. */
export const isHugePages = (name: string): boolean => name.startsWith(hugePages);

const isQuotaHugePages = (name: string): boolean => isHugePages(name) || name.startsWith('requests.hugepages-');

/** Returns whether a quota of the platform exists for a resource. */
export const isQuotaResource = (name: string): boolean => quotaNames.has(name) || isQuotaHugePages(name);

/** Rules that depend on the naming, because it determines the platform's own domain. */
export interface ResourceNames {
  /** Returns whether more of it may be promised than exists. */
  readonly mayBeOvercommitted: (name: string) => boolean;
  /** Returns whether it comes only in whole units. */
  readonly isCounted: (name: string) => boolean;
  /** Checks the name of a resource of containers. */
  readonly containerErrors: (name: string, field: string) => readonly FieldError[];
}

const known = new WeakMap<Naming, ResourceNames>();

/** Returns the rules of a naming; the same object each time. */
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

/** Checks the name of any resource. */
export function resourceNameErrors(name: string, field: string): readonly FieldError[] {
  const problems = qualifiedNameCheck(name);
  if (problems.length > 0) return problems.map((problem) => invalidValue(field, name, problem));
  if (name.includes('/') || standardNames.has(name) || isQuotaHugePages(name)) return [];
  return [invalidValue(field, name, 'must be a standard resource type or fully qualified')];
}

/** Checks the name of a resource of quotas. */
export function quotaNameErrors(name: string, field: string): readonly FieldError[] {
  const errors = resourceNameErrors(name, field);
  if (name.includes('/') || isQuotaResource(name)) return errors;
  return [...errors, invalidValue(field, name, 'must be a standard resource for quota')];
}
