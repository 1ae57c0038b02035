/** The stage that stores empty lists of fields that are never absent as null. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { getOwn, isArray, isObject } from '../../objects/guards.js';
import type { ListPlace } from '../../resource/list-places.js';
import type { Attempt } from '../attempt.js';

export const nullEmptyLists = ({ write, object }: Attempt): void => settleEmptyLists(write.resource.emptyLists, object);

/**
 * Puts null in the place of the empty lists, in place, as they come back from the store: protobuf cannot tell the two
 * apart. Whoever wrote such a list owns it all the same, so this comes after owners are recorded. Visits nothing but
 * what leads to a list.
 */
export function settleEmptyLists(place: ListPlace | undefined, value: JsonValue | undefined): void {
  if (place === undefined) return;
  if (isArray(value)) {
    for (const item of value) settleEmptyLists(place.elements, item);
  } else if (isObject(value)) {
    settleMembers(place, value);
  }
}

function settleMembers({ lists, members, elements }: ListPlace, object: JsonObject): void {
  for (const name of lists) {
    const list = getOwn(object, name);
    if (isArray(list) && list.length === 0) object[name] = null;
  }
  for (const [name, place] of members) settleEmptyLists(place, getOwn(object, name));
  if (elements) for (const key of Object.keys(object)) settleEmptyLists(elements, object[key]);
}
