/** Users as reviews write them. */
import type { JsonObject, UserInfo } from '../../runtime/contract/index.js';
import { getOwn, isObject, isStringArray, objectAt, stringAt } from '../../runtime/objects/guards.js';

/** The user as `UserInfo` of the authentication group says it; what is empty is left out. */
export function describeUser({ name, uid, groups, extra }: UserInfo): JsonObject {
  const described: JsonObject = {};
  if (name !== '') described.username = name;
  if (uid !== '') described.uid = uid;
  if (groups.length > 0) described.groups = [...groups];
  if (Object.keys(extra).length > 0) {
    described.extra = Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
  }
  return described;
}

/** The user that the spec of an access review speaks of. */
export function readUser(spec: JsonObject): UserInfo {
  const groups = getOwn(spec, 'groups');
  const extra = objectAt(spec, 'extra');
  return {
    name: stringAt(spec, 'user'),
    uid: stringAt(spec, 'uid'),
    groups: isStringArray(groups) ? groups : [],
    extra: isObject(extra) ? readExtra(extra) : {},
  };
}

const readExtra = (extra: JsonObject): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, isStringArray(values) ? values : []]));
