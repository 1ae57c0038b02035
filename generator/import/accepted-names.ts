/** Gives definitions of a server the names that it has accepted: no two resources of a group are served by the same name. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { get, list, type Raw, string } from '../../runtime/schema/read.js';
import type { Remarks } from './remarks.js';

/**
 * The definition with its accepted names, told in a note where others are wanted; undefined, and told, where a conflict of
 * names keeps it from being served. One without a status is as it is.
 */
export function withAcceptedNames(object: JsonObject, index: number, remarks: Remarks): JsonObject | undefined {
  const { spec, status } = object;
  const accepted = conditionIn(status, 'NamesAccepted');
  if (!isObject(spec) || string(get(accepted, 'status')) !== 'False') return object;
  const because = string(get(accepted, 'message')) ?? 'its names are not accepted';
  const tell = (path: readonly string[], message: string): void =>
    remarks({ severity: 'note', path: ['items', index, ...path], message: `${message}: ${because}` });
  const names = get(status, 'acceptedNames');
  if (string(get(conditionIn(status, 'Established'), 'status')) !== 'True' || !isObject(names)) {
    tell([], 'the definition is left out, as the server does not serve it');
    return undefined;
  }
  tell(['spec', 'names'], 'the names are those that the server has accepted');
  return { ...object, spec: { ...spec, names } };
}

const conditionIn = (status: Raw, type: string): Raw =>
  list(get(status, 'conditions')).find((condition) => string(get(condition, 'type')) === type);
