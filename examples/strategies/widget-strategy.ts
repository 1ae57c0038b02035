/** Widget: what its schema cannot say. */
import type { ApiObject, FieldError, Strategy } from 'kindforge/contract';
import { invalidValue, isStringArray, objectAt } from 'kindforge/objects';

/** An order that keeps the makers busy for long. */
const manyWidgets = 100;

export function defineWidgetStrategy(): Strategy {
  return {
    kind: 'shop.example.com/Widget',
    canonicalize: orderColours,
    validateUpdate: keepWhatIsMade,
    warnings: (object) => (countOf(object) > manyWidgets ? [`more than ${manyWidgets} widgets take a while`] : []),
    cell: (object, column) => (column === 'Made' ? `${madeOf(object)}/${countOf(object)}` : undefined),
  };
}

/** Colours are stored in lower case and in order, so that equal orders are equal objects. */
function orderColours(object: ApiObject): void {
  const spec = objectAt(object, 'spec');
  if (spec && isStringArray(spec.colours)) spec.colours = spec.colours.map((colour) => colour.toLowerCase()).sort();
}

function keepWhatIsMade(object: ApiObject, old: ApiObject): readonly FieldError[] {
  const count = countOf(object);
  const made = madeOf(old);
  return count < made ? [invalidValue('spec.count', count, `${made} have been made already`)] : [];
}

const countOf = (object: ApiObject): number => numberOf(objectAt(object, 'spec')?.count);
const madeOf = (object: ApiObject): number => numberOf(objectAt(object, 'status')?.made);
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
