/** Merges lists with the merge strategy, item by item. */
import type { JsonObject, JsonValue, Result, Schema } from '../../contract/index.js';
import { getOwn, isObject } from '../../objects/guards.js';
import { itemIdentity, orderItems } from './element-order.js';
import { DIRECTIVE, missingMergeKey, mixedList, type PatchRule, refuse, unknownDirective } from './patch-schema.js';

/** Merges an item with its patch. */
export type MergeItem = (live: JsonObject, patch: JsonObject, schema: Schema | undefined) => Result<JsonObject>;

export interface MergedList {
  readonly items: JsonValue[];
  /** The items that define the order of the list. A new item may have the position of a deleted one here. */
  readonly orderedBy: readonly JsonValue[];
}

/** Merges two lists, in the order of the patch's list. */
export function mergeLists(
  live: readonly JsonValue[],
  patch: readonly JsonValue[],
  rule: PatchRule,
  mergeItem: MergeItem,
): Result<MergedList> {
  if (!rule.merge) return { ok: true, value: { items: [...patch], orderedBy: live } };
  const kind = commonKind([...live, ...patch]);
  if (kind === 'mixed') return mixedList();
  if (kind === 'lists') return refuse('lists of lists are not supported');
  if (kind !== 'objects') {
    const merged = withoutRepeats([...live, ...patch]);
    return { ok: true, value: { items: orderItems(merged, patch, live, undefined), orderedBy: live } };
  }
  const { mergeKey } = rule;
  if (mergeKey === undefined) return refuse('cannot merge lists without merge key');
  const mergeOne = (item: JsonObject, change: JsonObject): Result<JsonObject> =>
    mergeItem(item, change, rule.schema?.items);
  return mergeItems(live.filter(isObject), patch.filter(isObject), mergeKey, mergeOne);
}

/** Returns the list without the values of another list, for `$deleteFromPrimitiveList`. */
export function deleteFromList(live: readonly JsonValue[], values: readonly JsonValue[]): JsonValue[] {
  const gone = new Set(values.map((value) => itemIdentity(value, undefined)));
  return live.filter((item) => !gone.has(itemIdentity(item, undefined)));
}

/** Returns the value of a new list: the patch without items that have a directive. */
export function newList(patch: readonly JsonValue[], rule: PatchRule): JsonValue[] {
  if (!rule.merge) return [...patch];
  return patch.filter((item) => !isObject(item) || getOwn(item, DIRECTIVE) === undefined);
}

function commonKind(items: readonly JsonValue[]): 'objects' | 'lists' | 'scalars' | 'mixed' | 'none' {
  const kinds = new Set(
    items.map((item) => (Array.isArray(item) ? 'lists' : isObject(item) ? 'objects' : typeof item)),
  );
  if (kinds.size > 1) return 'mixed';
  const [kind] = kinds;
  if (kind === undefined) return 'none';
  return kind === 'objects' || kind === 'lists' ? kind : 'scalars';
}

function withoutRepeats(items: readonly JsonValue[]): JsonValue[] {
  return [...new Set(items)];
}

function mergeItems(
  live: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
  mergeOne: (item: JsonObject, change: JsonObject) => Result<JsonObject>,
): Result<MergedList> {
  const directed = applyItemDirectives(live, patch, mergeKey);
  if (!directed.ok) return directed;
  const { kept, changes, replaced } = directed.value;
  if (replaced) return { ok: true, value: { items: changes, orderedBy: live } };
  const merged = [...kept];
  const positions = new Map<string, number>();
  for (const [index, item] of kept.entries()) {
    const identity = itemIdentity(item, mergeKey);
    if (identity !== undefined && !positions.has(identity)) positions.set(identity, index);
  }
  for (const change of changes) {
    const identity = itemIdentity(change, mergeKey);
    if (identity === undefined) return missingMergeKey(change, mergeKey);
    const at = positions.get(identity) ?? merged.length;
    positions.set(identity, at);
    const target = merged[at];
    const result = target === undefined ? { ok: true as const, value: change } : mergeOne(target, change);
    if (!result.ok) return result;
    merged[at] = result.value;
  }
  const orderedBy = merged.slice(0, live.length);
  return { ok: true, value: { items: orderItems(merged, changes, kept, mergeKey), orderedBy } };
}

/** The live items after the directives of the patch, and the other items of the patch. */
interface Directed {
  readonly kept: readonly JsonObject[];
  readonly changes: JsonObject[];
  readonly replaced: boolean;
}

function applyItemDirectives(
  live: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
): Result<Directed> {
  const deleted = new Set<string>();
  let replaced = false;
  const changes: JsonObject[] = [];
  for (const item of patch) {
    const directive = getOwn(item, DIRECTIVE);
    const identity = itemIdentity(item, mergeKey);
    if (directive === undefined) changes.push(item);
    else if (directive === 'replace') replaced = true;
    else if (directive === 'merge') return refuse('merging lists cannot yet be specified in the patch');
    else if (directive !== 'delete') return unknownDirective(directive, item);
    else if (identity === undefined) return missingMergeKey(item, mergeKey);
    else deleted.add(identity);
  }
  const kept = deleted.size === 0 ? live : live.filter((item) => !deleted.has(itemIdentity(item, mergeKey) ?? ''));
  return { ok: true, value: { kept, changes, replaced } };
}
