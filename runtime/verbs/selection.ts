/** The entries that a label and a field selector let through. */
import type { Attributes } from '../contract/index.js';
import { exactValue, type FieldSelector } from '../objects/field-selectors.js';
import type { LabelSelector } from '../objects/labels.js';

/** A compiled selection. */
export interface Selection {
  /** Whether it lets everything through, so that nobody needs to ask. */
  readonly everything: boolean;
  /** The one name that can match, where the field selector says so. */
  readonly name?: string;
  /** The one namespace that can match, where the field selector says so. */
  readonly namespace?: string;
  matches(attributes: Attributes): boolean;
}

export const matchEverything: Selection = { everything: true, matches: () => true };

/** Combines both selectors. */
export function selectionOf(labels: LabelSelector, fields: FieldSelector): Selection {
  return {
    everything: labels.everything && fields.everything,
    name: exactValue(fields, 'metadata.name'),
    namespace: exactValue(fields, 'metadata.namespace'),
    matches: (attributes) => labels.matches(attributes.labels) && fields.matches(attributes.fields),
  };
}

/** Narrows a selection to objects of one name. */
export const onlyNamed = (selection: Selection, name: string): Selection => ({
  ...selection,
  everything: false,
  name,
  matches: (attributes) => attributes.fields['metadata.name'] === name && selection.matches(attributes),
});
