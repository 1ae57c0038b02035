/** The rules of widgets that their schema cannot express. */
import { type DraftObject, type FieldError, invalidValue } from 'kindforge/contract';
import { defineWidgetHandlers } from '../shop/generated/shop.example.com/v1/widgets/handlers.js';
import type { Widget } from '../shop/generated/shop.example.com/v1/widgets/types.js';

type WidgetDraft = DraftObject<Widget>;

/** Larger orders get a warning. */
const largeOrder = 100;

export const widgets = defineWidgetHandlers({
  canonicalize: sortColours,
  validateUpdate: countErrors,
  warn: (widget) => (countOf(widget) > largeOrder ? [`more than ${largeOrder} widgets take a while`] : []),
  columns: {
    Made: (widget) => `${madeOf(widget)}/${countOf(widget)}`,
  },
});

/** Stores colours in lower case and sorted, so that equal orders are equal objects. */
function sortColours({ spec }: WidgetDraft): void {
  if (spec?.colours) spec.colours = spec.colours.map((colour) => colour.toLowerCase()).sort();
}

/** Refuses a count below the number of widgets that are already made. */
function countErrors(widget: WidgetDraft, old: WidgetDraft): readonly FieldError[] {
  const count = countOf(widget);
  const made = madeOf(old);
  return count < made ? [invalidValue('spec.count', count, `${made} have been made already`)] : [];
}

function countOf({ spec }: WidgetDraft): number {
  return spec?.count ?? 0;
}

function madeOf({ status }: WidgetDraft): number {
  return status?.made ?? 0;
}
