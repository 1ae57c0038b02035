/** Identifies the items of set and map lists by path steps, and indexes lists by these steps. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { getOwn, isObject } from '../../objects/guards.js';
import { type KeyField, keyElement, type PathElement, valueElement } from '../path-element.js';
import type { ListPlan } from '../type-plan.js';

/** The problem of an item that cannot be identified. */
export interface ItemProblem {
  readonly problem: string;
}

/** Returns the step to an item of a set or map list. */
export function itemElement(list: ListPlan, item: JsonValue): PathElement | ItemProblem {
  if (list.relation === 'set') return setItemElement(item);
  if (item === null) return { problem: 'associative list with keys may not have a null element' };
  if (!isObject(item)) return { problem: 'associative list with keys may not have non-map elements' };
  return mapItemElement(list, item);
}

function setItemElement(item: JsonValue): PathElement | ItemProblem {
  if (item === null) return { problem: "associative list without keys has an element that's an explicit null" };
  if (Array.isArray(item)) return { problem: 'not supported: associative list with lists as elements' };
  if (isObject(item)) return { problem: "associative list without keys has an element that's a map type" };
  return valueElement(item);
}

function mapItemElement(list: ListPlan, item: JsonObject): PathElement | ItemProblem {
  const fields: KeyField[] = [];
  for (const key of list.keys) {
    const value = getOwn(item, key.name) ?? key.default;
    if (value !== undefined) fields.push([key.name, value]);
    else if (key.required) return missingKey(key.name);
  }
  return fields.length > 0 ? keyElement(fields) : missingKey(list.keys[0]?.name ?? '');
}

function missingKey(name: string): ItemProblem {
  const words = 'associative list with keys has an element that omits key field';
  return { problem: `${words} "${name}" (and doesn't have default value)` };
}

/** Works like `itemElement`, for stored lists. Identifies an item by its position if it has no step of its own. */
export function storedItemElement(list: ListPlan, item: JsonValue, position: number): PathElement {
  const element = itemElement(list, item);
  return typeof element === 'string' ? element : `i:${position}`;
}

/** Items with the same step. They have one owner as a whole. */
export class Duplicates {
  constructor(readonly items: JsonValue[]) {}
}

/** A list with the step to each of its items. */
export interface SteppedList {
  readonly items: readonly JsonValue[];
  readonly steps: readonly PathElement[];
}

/**
 * Finds the steps to the items of a stored list. Making steps is most of the work with lists, so reuses steps of items
 * that `other` has at the same position.
 */
export function withSteps(list: ListPlan, items: readonly JsonValue[], other?: SteppedList): SteppedList {
  const steps = items.map((item, position) => {
    const known = other?.items[position] === item ? other.steps[position] : undefined;
    return known ?? storedItemElement(list, item, position);
  });
  return { items, steps };
}

/** Returns the items of a stored list by their steps, in the order of first occurrence. */
export function indexItems(list: ListPlan, items: readonly JsonValue[]): Map<PathElement, JsonValue | Duplicates> {
  return indexSteps(withSteps(list, items));
}

/** Indexes a list with known steps. */
export function indexSteps({ items, steps }: SteppedList): Map<PathElement, JsonValue | Duplicates> {
  const index = new Map<PathElement, JsonValue | Duplicates>();
  for (const [i, element] of steps.entries()) {
    const item = items[i] ?? null;
    const first = index.get(element);
    if (first === undefined) index.set(element, item);
    else if (first instanceof Duplicates) first.items.push(item);
    else index.set(element, new Duplicates([first, item]));
  }
  return index;
}
