/** Rules of how the bounds of one limit fit together, resource by resource. */
import type { LimitRangeItem } from '../../generated/types/core/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import {
  compareQuantities,
  formatQuantity,
  type Quantity,
  quantityInUnits,
} from '../../runtime/objects/scan/quantity.js';
import { amountsOf, printedQuantity } from '../shared/resource-list.js';
import type { ResourceNames } from '../shared/resource-names.js';

/** The bounds for one resource; absent where none is given. */
interface Bounds {
  readonly min?: Quantity;
  readonly max?: Quantity;
  readonly byDefault?: Quantity;
  readonly request?: Quantity;
  readonly ratio?: Quantity;
}

/** Errors of the bounds of a limit; `field` is the limit's path. */
export function boundErrors(
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

/** A bound that may not be more than another; the error is about the first, or about the last. */
type Order = readonly [less: Quantity | undefined, more: Quantity | undefined, list: string, text: string, last?: true];

/** No bound is more than one that lies above it. */
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

/** A ratio is 1 at least, and no more than the bounds allow. */
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
