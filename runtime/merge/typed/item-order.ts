/** Copies the order of items from a configuration. Order can matter: containers start in their order. */
import type { JsonValue } from '../../contract/index.js';
import { FromBelow, recursionLevels } from '../../objects/from-below.js';
import { getOwn, isObject, setOwn } from '../../objects/guards.js';
import { granularList, granularMap, type ListPlan, memberType, type TypePlan } from '../type-plan.js';
import { Duplicates, indexItems, withSteps } from './list-items.js';

/**
 * Returns the live value with each keyed list in the order of a configuration, if the configuration has all its items.
 * A list with further items keeps its order, and so does a set, as in the reference. The result shares unchanged parts
 * with the live value, and is the live value itself if nothing changes.
 */
export const inOrderOf = (type: TypePlan, live: JsonValue, applied: JsonValue): JsonValue =>
  orderedAt(type, live, applied, 0);

const ordered = new FromBelow<JsonValue>(null);

function orderedAt(type: TypePlan, live: JsonValue, applied: JsonValue, level: number): JsonValue {
  if (live === applied || typeof live !== 'object' || typeof applied !== 'object') return live;
  if (level === recursionLevels && applied !== null) {
    return ordered.resultOf([applied, live, type], () => orderedAt(type, live, applied, 0));
  }
  const map = granularMap(type, applied);
  if (map !== undefined && isObject(live) && isObject(applied)) {
    let result = live;
    for (const key of Object.keys(applied)) {
      const [before, wanted] = [getOwn(live, key), getOwn(applied, key)];
      if (before === undefined || wanted === undefined) continue;
      const after = orderedAt(memberType(map, key), before, wanted, level + 1);
      if (after === before) continue;
      if (result === live) result = { ...live };
      setOwn(result, key, after);
    }
    return result;
  }
  const list = granularList(type, applied);
  if (list?.relation !== 'map' || !Array.isArray(live) || !Array.isArray(applied)) return live;
  return orderedItems(list, live, applied, level + 1);
}

function orderedItems(list: ListPlan, live: JsonValue[], applied: readonly JsonValue[], level: number): JsonValue {
  const items = indexItems(list, live);
  const wanted = indexItems(list, applied);
  const nameAll =
    items.size === live.length && wanted.size === items.size && [...items.keys()].every((step) => wanted.has(step));
  const steps = nameAll ? [...wanted.keys()] : withSteps(list, live).steps;
  const result = steps.map((step, at) => {
    const item = nameAll ? items.get(step) : live[at];
    const said = wanted.get(step);
    if (item === undefined || item instanceof Duplicates) return live[at] ?? null;
    return said === undefined || said instanceof Duplicates ? item : orderedAt(list.items, item, said, level);
  });
  return result.every((item, at) => item === live[at]) ? live : result;
}
