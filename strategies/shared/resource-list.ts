/** Amounts by resource: how they are read, stored, printed and checked. */
import type { FieldError, JsonObject } from '../../runtime/contract/index.js';
import { invalidValue, Verbatim } from '../../runtime/objects/field-error.js';
import { objectAt, setOwn } from '../../runtime/objects/guards.js';
import { quote } from '../../runtime/objects/printing.js';
import { formatQuantity, parseQuantity, type Quantity, quantityInUnits } from '../../runtime/objects/quantity.js';
import type { ResourceNames } from './resource-names.js';

/** The finest amount that is stored, as a power of ten. */
const finest = -3;

/** Amounts by resource; what is no quantity is passed over. */
export function amountsOf(list: Readonly<Record<string, string>> = {}): ReadonlyMap<string, Quantity> {
  const amounts = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(list)) {
    const amount = readAmount(text);
    if (amount !== undefined) amounts.set(name, amount);
  }
  return amounts;
}

/** The amounts of the list at a key. */
export function amountsAt(parent: JsonObject | undefined, key: string): ReadonlyMap<string, Quantity> {
  const amounts = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(objectAt(parent, key) ?? {})) {
    const amount = readAmount(text);
    if (amount !== undefined) amounts.set(name, amount);
  }
  return amounts;
}

function readAmount(value: unknown): Quantity | undefined {
  const read = typeof value === 'string' || typeof value === 'number' ? parseQuantity(String(value)) : undefined;
  return read?.ok ? read.value : undefined;
}

/** Rounds what is finer than a thousandth up, in place, as amounts by resource are stored. */
export function roundUpAmounts(amounts: JsonObject | undefined): void {
  for (const [name, text] of Object.entries(amounts ?? {})) {
    const amount = readAmount(text);
    if (amounts === undefined || amount === undefined || amount.exponent >= finest) continue;
    const digits = quantityInUnits(amount, finest);
    if (digits * 10n ** BigInt(finest - amount.exponent) === amount.digits) continue;
    setOwn(amounts, name, formatQuantity({ ...amount, digits, exponent: finest }));
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

/** What is wrong with an amount: below nothing, or a fraction of what comes in whole units. */
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
