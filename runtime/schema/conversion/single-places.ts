/** Converts a list whose first item is a single value in the other version; called by generated conversions. */
import type { JsonObject } from '../../contract/index.js';
import { isArray } from '../../objects/guards.js';
import { putAnnotation, takeAnnotation } from './annotation-places.js';
import { putAt, takeAt } from './places.js';

/** Where the list and the single value are, and the annotation that keeps the other items, if any does. */
export interface ListAndSingle {
  readonly list: readonly string[];
  readonly single: readonly string[];
  readonly annotation?: string;
}

/** Makes the first item the value. An annotation keeps the others, and `[]` where the list is there without items. */
export function listToSingle(object: JsonObject, { list, single, annotation }: ListAndSingle): void {
  const items = takeAt(object, ...list);
  if (!isArray(items)) return;
  const [first, ...others] = items;
  putAt(object, first, ...single);
  if (annotation !== undefined && items.length !== 1) putAnnotation(object, others, annotation, 'json');
}

/** Makes a list of the value and of what the annotation keeps. */
export function singleToList(object: JsonObject, { list, single, annotation }: ListAndSingle): void {
  const first = takeAt(object, ...single);
  const others = annotation === undefined ? undefined : takeAnnotation(object, annotation, 'json');
  if (first === undefined && !isArray(others)) return;
  putAt(object, [...(first === undefined ? [] : [first]), ...(isArray(others) ? others : [])], ...list);
}
