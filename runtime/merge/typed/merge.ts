/** Merges a configuration into a live value. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { FromBelow, recursionLevels } from '../../objects/from-below.js';
import { getOwn, isObject, setOwn } from '../../objects/guards.js';
import { type FieldSet, fieldSet, LEAF } from '../field-set.js';
import { fieldName, type PathElement } from '../path-element.js';
import { granularList, granularMap, type ListPlan, type MapPlan, memberType, type TypePlan } from '../type-plan.js';
import { Duplicates, indexSteps, withSteps } from './list-items.js';

/**
 * Merges a configuration into the live value: replaces leaves, and merges granular objects and lists. The result shares
 * unmerged parts with both, and is the live value itself if nothing changes. The configuration must be valid; the live
 * value may be invalid.
 */
export const mergeValues = (type: TypePlan, live: JsonValue | undefined, applied: JsonValue): JsonValue =>
  mergeAt(type, live, applied, 0);

const merges = new FromBelow<JsonValue>(null);

function mergeAt(type: TypePlan, live: JsonValue | undefined, applied: JsonValue, level: number): JsonValue {
  if (live === undefined || typeof applied !== 'object') return applied;
  if (level === recursionLevels && applied !== null) {
    return merges.resultOf([applied, live, type], () => mergeAt(type, live, applied, 0));
  }
  const map = granularMap(type, applied);
  if (map !== undefined && isObject(live)) return mergeMaps(map, live, applied, level + 1);
  const list = granularList(type, applied);
  if (list !== undefined && Array.isArray(live)) return mergeLists(list, live, applied, level + 1);
  return equal(live, applied) ? live : applied;
}

/**
 * Merges two objects. An empty object changes no members. Copies the live object at the first change, because most
 * applies change few members or none.
 */
function mergeMaps(plan: MapPlan, live: JsonObject, applied: JsonValue, level: number): JsonValue {
  if (!hasMembers(live)) return equal(live, applied) ? live : applied;
  if (!isObject(applied)) return live;
  let merged = live;
  for (const key of Object.keys(applied)) {
    const value = applied[key];
    if (value === undefined) continue;
    const before = getOwn(live, key);
    const after = mergeAt(memberType(plan, key), before, value, level);
    if (after === before) continue;
    if (merged === live) merged = { ...live };
    setOwn(merged, key, after);
  }
  return merged;
}

function hasMembers(map: JsonObject): boolean {
  for (const key in map) if (map[key] !== undefined && Object.hasOwn(map, key)) return true;
  return false;
}

function mergeLists(plan: ListPlan, live: JsonValue[], applied: JsonValue, level: number): JsonValue {
  if (live.length === 0) return equal(live, applied) ? live : applied;
  if (!Array.isArray(applied)) return live;
  const merged = new ListMerge(plan, live, applied, level).run();
  const same = merged.length === live.length && merged.every((item, index) => item === live[index]);
  return same ? live : merged;
}

/**
 * Merges two lists of items with steps. Items of the configuration keep its order. Other live items keep their places
 * relative to the shared items around them.
 */
class ListMerge {
  private readonly liveSteps: readonly PathElement[];
  private readonly liveItems: Map<PathElement, JsonValue | Duplicates>;
  private readonly appliedSteps: readonly PathElement[];
  private readonly appliedItems: Map<PathElement, JsonValue | Duplicates>;
  private readonly merged: JsonValue[] = [];
  private nextLive = 0;

  constructor(
    private readonly plan: ListPlan,
    private readonly live: readonly JsonValue[],
    applied: readonly JsonValue[],
    private readonly level: number,
  ) {
    const stepped = withSteps(plan, live);
    this.liveSteps = stepped.steps;
    this.liveItems = indexSteps(stepped);
    const steppedApplied = withSteps(plan, applied);
    this.appliedSteps = steppedApplied.steps;
    this.appliedItems = indexSteps(steppedApplied);
  }

  run(): JsonValue[] {
    const shared = this.appliedSteps.filter((step) => this.liveItems.has(step));
    let nextShared = 0;
    for (const step of this.appliedSteps) {
      const upTo = shared[nextShared];
      this.takeLiveUntil(upTo);
      this.takeApplied(step);
      if (step === upTo) {
        nextShared++;
        if (this.liveSteps[this.nextLive] === step) this.nextLive++;
      }
    }
    this.takeLiveUntil(undefined);
    return this.merged;
  }

  /** Takes the items that only the live list has, up to the next shared item; all of them if there is none. */
  private takeLiveUntil(step: PathElement | undefined): void {
    for (; this.nextLive < this.live.length; this.nextLive++) {
      const here = this.liveSteps[this.nextLive];
      if (here === undefined || here === step) return;
      if (!this.appliedItems.has(here)) this.merged.push(this.live[this.nextLive] ?? null);
    }
  }

  /** Takes the item of the configuration. It replaces several live items with the same step. */
  private takeApplied(step: PathElement): void {
    const value = this.appliedItems.get(step);
    if (value === undefined || value instanceof Duplicates) return;
    const live = this.liveItems.get(step);
    this.merged.push(mergeAt(this.plan.items, live instanceof Duplicates ? undefined : live, value, this.level));
  }
}

/**
 * Adapts a set to a changed schema. If a part was granular and is now atomic, every owner of some of its fields owns it
 * as a whole. The opposite change is not visible: the owner of the whole keeps only that path, and later writes of
 * parts do not conflict with it. Visits only parts of a plan that contain something atomic. Returns the same set if
 * nothing changes.
 */
export function reconcile(type: TypePlan, set: FieldSet): FieldSet {
  if (!type.hasAtomicParts || set.children.size === 0) return set;
  const { map, list } = type;
  if (map?.atomic || (map === undefined && list?.relation === 'atomic')) return LEAF;
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of set.children) {
    const inner = partType(type, element);
    const kept = inner === undefined ? child : reconcile(inner, child);
    if (kept === child) continue;
    children ??= new Map(set.children);
    children.set(element, kept);
  }
  return children === undefined ? set : fieldSet(set.owned, children);
}

/** Returns the type at the end of a step, or `undefined` if the schema does not have it. */
function partType(type: TypePlan, element: PathElement): TypePlan | undefined {
  const name = fieldName(element);
  if (name === undefined) return type.list?.items;
  return type.map?.fields.get(name)?.type ?? type.map?.values;
}
