/** LimitRange: bounds of resources, and the defaults that they imply for containers. */
import { randomUUID } from 'node:crypto';
import { defineLimitRangeHandlers } from '../../generated/core/v1/limitranges/handlers.js';
import type { LimitRangeItem } from '../../generated/types/core/v1/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, required } from '../../runtime/objects/field-error.js';
import { qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import {
  compareQuantities,
  formatQuantity,
  type Quantity,
  quantityInUnits,
} from '../../runtime/objects/scan/quantity.js';
import {
  amountsOf,
  printedQuantity,
  type ResourceNames,
  resourceNameErrors,
  resourceNamesOf,
  roundUpAmounts,
} from '../shared/resources.js';

type Item = Draft<LimitRangeItem>;

/** Types of the platform; other types have a domain. */
const standardTypes: ReadonlySet<string> = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);

/** The lists of an item in the order of the checks. */
const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

export function defineLimitRanges(names: Naming): KindHandlers {
  const resources = resourceNamesOf(names);
  return defineLimitRangeHandlers({
    updateChecks: ['metadata', 'fields'],
    // Hardly anything refers to ranges by name, so clients need not name them.
    prepareForCreate({ metadata }) {
      metadata.name ||= randomUUID();
    },
    canonicalize({ spec }) {
      for (const item of spec?.limits ?? []) {
        if (item.type === 'Container') fillIn(item);
        for (const list of lists) roundUpAmounts(item[list]);
      }
    },
    validate: ({ spec }) => limitErrors(spec?.limits ?? [], resources),
  });
}

/** By default, limits are the maximum, and requests are the limits or else the minimum. */
function fillIn(item: Item): void {
  copyMissing(item, 'max', 'default');
  copyMissing(item, 'default', 'defaultRequest');
  copyMissing(item, 'min', 'defaultRequest');
}

function copyMissing(item: Item, from: (typeof lists)[number], to: 'default' | 'defaultRequest'): void {
  const given = item[from] ?? {};
  // Values that are set already keep their value and their place.
  if (Object.keys(given).length > 0) item[to] = { ...item[to], ...given, ...item[to] };
}

/** Each type has one limit. */
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

/** A type is one of the platform's or has a domain. */
function typeErrors(type: string, path: string): readonly FieldError[] {
  const problems = qualifiedNameCheck(type);
  if (problems.length > 0) return problems.map((problem) => invalidValue(path, type, problem));
  if (type.includes('/') || standardTypes.has(type)) return [];
  return [invalidValue(path, type, 'must be a standard limit type or fully qualified')];
}

/** The lists name resources; limits of pods have no defaults. */
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

/** A limit of claims bounds their storage. */
function claimErrors({ type, min, max }: Item, path: string): readonly FieldError[] {
  if (type !== 'PersistentVolumeClaim' || (min?.storage ?? max?.storage) !== undefined) return [];
  return [required(`${path}.limits`, 'either minimum or maximum storage value is required, but neither was provided')];
}

/** The bounds of one resource, if given. */
interface Bounds {
  readonly min?: Quantity;
  readonly max?: Quantity;
  readonly byDefault?: Quantity;
  readonly request?: Quantity;
  readonly ratio?: Quantity;
}

/** Checks the bounds of a limit; `field` is the limit's path. */
function boundErrors(
  item: Draft<LimitRangeItem>,
  field: string,
  { mayBeOvercommitted }: Pick<ResourceNames, 'mayBeOvercommitted'>,
): readonly FieldError[] {
  const ofPods = item.type === 'Pod';
  const min = amountsOf(item.min);
  const max = amountsOf(item.max);
  const byDefault = amountsOf(ofPods ? {} : item.default);
  const request = amountsOf(ofPods ? {} : item.defaultRequest);
  const ratio = amountsOf(item.maxLimitRequestRatio);
  const names = new Set([min, max, byDefault, request, ratio].flatMap((amounts) => [...amounts.keys()]));
  return [...names].flatMap((name) => {
    const bounds: Bounds = {
      min: min.get(name),
      max: max.get(name),
      byDefault: byDefault.get(name),
      request: request.get(name),
      ratio: ratio.get(name),
    };
    const at = (list: string): string => `${field}.${list}[${name}]`;
    return [
      ...orderErrors(bounds, at),
      ...ratioErrors(bounds, at('maxLimitRequestRatio')),
      ...(mayBeOvercommitted(name) ? [] : equalityErrors(bounds, at('defaultRequest'), name)),
    ];
  });
}

/** A bound that must not be more than another. The error shows `less`, or `more` if `last` is set. */
type Order = readonly [less: Quantity | undefined, more: Quantity | undefined, list: string, text: string, last?: true];

/** No bound exceeds a higher one. */
function orderErrors({ min, max, byDefault, request }: Bounds, at: (list: string) => string): readonly FieldError[] {
  const orders: readonly Order[] = [
    [min, max, 'min', 'min value %1 is greater than max value %2'],
    [min, request, 'defaultRequest', 'min value %1 is greater than default request value %2', true],
    [request, max, 'defaultRequest', 'default request value %1 is greater than max value %2'],
    [request, byDefault, 'defaultRequest', 'default request value %1 is greater than default limit value %2'],
    [min, byDefault, 'default', 'min value %1 is greater than default value %2'],
    [byDefault, max, 'default', 'default value %1 is greater than max value %2', true],
  ];
  return orders.flatMap(([less, more, list, text, last]) => {
    if (less === undefined || more === undefined || compareQuantities(less, more) <= 0) return [];
    const words = text.replace('%1', formatQuantity(less)).replace('%2', formatQuantity(more));
    return [invalidValue(at(list), printedQuantity(last ? more : less), words)];
  });
}

const one: Quantity = { digits: 1n, exponent: 0, notation: 'decimal' };

/** A ratio is at least 1 and at most what the bounds allow. */
function ratioErrors({ min, max, ratio }: Bounds, field: string): readonly FieldError[] {
  if (ratio === undefined) return [];
  const errors: FieldError[] = [];
  const shown = printedQuantity(ratio);
  if (compareQuantities(ratio, one) < 0) {
    errors.push(invalidValue(field, shown, `ratio ${formatQuantity(ratio)} is less than 1`));
  }
  if (min === undefined || max === undefined) return errors;
  const limit = thousandths(max) / thousandths(min);
  if (thousandths(ratio) / 1000 > limit) {
    errors.push(
      invalidValue(field, shown, `ratio ${formatQuantity(ratio)} is greater than max/min = ${limit.toFixed(6)}`),
    );
  }
  return errors;
}

const thousandths = (amount: Quantity): number => Number(quantityInUnits(amount, -3));

/** A resource that cannot be overcommitted has equal requests and limits. */
function equalityErrors({ byDefault, request }: Bounds, field: string, name: string): readonly FieldError[] {
  if (byDefault === undefined || request === undefined || compareQuantities(byDefault, request) === 0) return [];
  const [limit, asked] = [formatQuantity(byDefault), formatQuantity(request)];
  const text = `default value ${limit} must equal to defaultRequest value ${asked} in ${name}`;
  return [invalidValue(field, printedQuantity(request), text)];
}
