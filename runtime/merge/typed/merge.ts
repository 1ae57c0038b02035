/** Merges a configuration into a live value. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { FromBelow, recursionLevels } from '../../objects/from-below.js';
import { getOwn, isObject, setOwn } from '../../objects/guards.js';
import { type FieldSet, fieldSet, LEAF } from '../fieldpath/field-set.js';
import { fieldName, type PathElement } from '../fieldpath/path-element.js';
import { Duplicates, indexSteps, withSteps } from './list-items.js';
import { granularList, granularMap, type ListPlan, type MapPlan, memberType, type TypePlan } from './type-plan.js';

/**
 * The live value with what the configuration says: leaves are replaced, granular objects and lists merged. The result
 * shares with both what was not merged, and is the live value itself where the configuration changes nothing. The
 * configuration has been validated; the live value need not be valid.
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
 * An empty object says nothing of the members there are; it replaces none. The live object is copied when the first
 * member changes, as most applies change few or none.
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
 * Merges two lists of items told apart by steps. The configuration's order holds among its own items; items that only
 * the live list has stay where they stand relative to the shared items around them.
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

  /** Takes the items that only the live list has, up to the shared item that comes next, or all where none does. */
  private takeLiveUntil(step: PathElement | undefined): void {
    for (; this.nextLive < this.live.length; this.nextLive++) {
      const here = this.liveSteps[this.nextLive];
      if (here === undefined || here === step) return;
      if (!this.appliedItems.has(here)) this.merged.push(this.live[this.nextLive] ?? null);
    }
  }

  /** Items of which the live list has several are not merged, but replaced by the configuration's one. */
  private takeApplied(step: PathElement): void {
    const value = this.appliedItems.get(step);
    if (value === undefined || value instanceof Duplicates) return;
    const live = this.liveItems.get(step);
    this.merged.push(mergeAt(this.plan.items, live instanceof Duplicates ? undefined : live, value, this.level));
  }
}

/**
 * A part that was granular and is atomic now is owned as a whole by all who owned some of it. The other way round
 * nothing can be told: the owner of the whole keeps just that path, and later writes of parts conflict with nobody.
 * Only the parts of a plan that have something atomic are looked at; the set itself is returned where nothing changes.
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

/** The type of the part that a step leads to; `undefined` where the schema knows none. */
function partType(type: TypePlan, element: PathElement): TypePlan | undefined {
  const name = fieldName(element);
  if (name === undefined) return type.list?.items;
  return type.map?.fields.get(name)?.type ?? type.map?.values;
}
