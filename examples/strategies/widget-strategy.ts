/** The strategy of Widget: the rules that its schema cannot express. */
import type { DraftObject, FieldError, KindHandlers } from 'kindforge/contract';
import { defineStrategy, invalidValue } from 'kindforge/objects';
import type { Widget } from '../shop/generated/shop.example.com/v1/widgets/types.js';

type WidgetDraft = DraftObject<Widget>;

/** Orders of more widgets than this get a warning. */
const largeOrder = 100;

export const defineWidgetStrategy = (): KindHandlers =>
  defineStrategy<Widget>('shop.example.com/Widget', {
    canonicalize: sortColours,
    validateUpdate: countErrors,
    warnings: (widget) => (countOf(widget) > largeOrder ? [`more than ${largeOrder} widgets take a while`] : []),
    cell: (widget, column) => (column === 'Made' ? `${madeOf(widget)}/${countOf(widget)}` : undefined),
  });

/** Stores colours in lower case and sorted, so that equal orders are equal objects. */
function sortColours({ spec }: WidgetDraft): void {
  if (spec?.colours) spec.colours = spec.colours.map((colour) => colour.toLowerCase()).sort();
}

/** The count cannot fall below the number of widgets that have been made. */
function countErrors(widget: WidgetDraft, old: WidgetDraft): readonly FieldError[] {
  const count = countOf(widget);
  const made = madeOf(old);
  return count < made ? [invalidValue('spec.count', count, `${made} have been made already`)] : [];
}

const countOf = ({ spec }: WidgetDraft): number => spec?.count ?? 0;
const madeOf = ({ status }: WidgetDraft): number => status?.made ?? 0;
