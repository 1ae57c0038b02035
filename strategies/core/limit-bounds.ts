/** How the bounds of one limit fit together, resource by resource. */
import type { FieldError, JsonObject } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { compareQuantities, formatQuantity, type Quantity, quantityInUnits } from '../../runtime/objects/quantity.js';
import { amountsAt, printedQuantity } from '../shared/resource-list.js';
import type { ResourceNames } from '../shared/resource-names.js';

/** The bounds for one resource; absent where none is given. */
interface Bounds {
  readonly min?: Quantity;
  readonly max?: Quantity;
  readonly byDefault?: Quantity;
  readonly request?: Quantity;
  readonly ratio?: Quantity;
}

/** What is wrong with the bounds of a limit; `field` is the limit's path. */
export function boundErrors(
  item: JsonObject,
  field: string,
  { mayBeOvercommitted }: Pick<ResourceNames, 'mayBeOvercommitted'>,
): readonly FieldError[] {
  const ofPods = item.type === 'Pod';
  const min = amountsAt(item, 'min');
  const max = amountsAt(item, 'max');
  const byDefault = ofPods ? new Map<string, Quantity>() : amountsAt(item, 'default');
  const request = ofPods ? new Map<string, Quantity>() : amountsAt(item, 'defaultRequest');
  const ratio = amountsAt(item, 'maxLimitRequestRatio');
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

/** A bound that may not be more than another, and which of the two a message is about. */
type Order = readonly [less: Quantity | undefined, more: Quantity | undefined, list: string, text: string, last?: true];

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

/** What cannot be promised twice is requested as it is limited. */
function equalityErrors({ byDefault, request }: Bounds, field: string, name: string): readonly FieldError[] {
  if (byDefault === undefined || request === undefined || compareQuantities(byDefault, request) === 0) return [];
  const [limit, asked] = [formatQuantity(byDefault), formatQuantity(request)];
  const text = `default value ${limit} must equal to defaultRequest value ${asked} in ${name}`;
  return [invalidValue(field, printedQuantity(request), text)];
}
