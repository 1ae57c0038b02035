/** Amounts by resource: how they are read, stored, printed and checked. */
import type { FieldError } from '../../runtime/contract/index.js';
import { invalidValue, Verbatim } from '../../runtime/objects/field-error.js';
import { setOwn } from '../../runtime/objects/guards.js';
import { quote } from '../../runtime/objects/printing.js';
import { formatQuantity, parseQuantity, type Quantity, quantityInUnits } from '../../runtime/objects/scan/quantity.js';
import type { ResourceNames } from './resource-names.js';

/** The finest amount that is stored, as a power of ten. */
const finest = -3;

/** Amounts by resource; texts that are no quantities are left out. */
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

/** Rounds amounts that are finer than a thousandth up, in place, as amounts by resource are stored. */
export function roundUpAmounts(list: Record<string, string> = {}): void {
  for (const [name, amount] of amountsOf(list)) {
    if (amount.exponent >= finest) continue;
    const digits = quantityInUnits(amount, finest);
    if (digits * 10n ** BigInt(finest - amount.exponent) === amount.digits) continue;
    setOwn(list, name, formatQuantity({ digits, exponent: finest, notation: amount.notation }));
  }
}

const formats = { decimal: 'DecimalSI', binary: 'BinarySI', exponent: 'DecimalExponent' } as const;

/** A quantity as messages print it. */
export function printedQuantity(quantity: Quantity): Verbatim {
  const text = formatQuantity(quantity);
  const amount = `resource.int64Amount{value:${quantity.digits}, scale:${quantity.exponent}}`;
  const form = `s:${quote(text)}, Format:"${formats[quantity.notation]}"`;
  return new Verbatim(`resource.Quantity{i:${amount}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, ${form}}`);
}

/** Whether an amount is whole, as far as it is stored. */
export const isWholeAmount = (amount: Quantity): boolean => quantityInUnits(amount, finest) % 1000n === 0n;

/** Errors of an amount: it is not negative, and whole where the resource is counted. */
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
