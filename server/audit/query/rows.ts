/** Shows events and changes as rows of a table. */
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { FieldChange } from './field-changes.js';

export const eventHeadings = ['TIME', 'USER', 'VERB', 'OBJECT', 'CODE'];
export const changeHeadings = ['TIME', 'USER', 'VERB', 'AGENT', 'FROM', 'TO'];

export const eventRow = (event: JsonObject): readonly string[] => [
  stringAt(event, 'stageTimestamp'),
  userOf(event),
  stringAt(event, 'verb'),
  objectOf(event),
  String(objectAt(event, 'responseStatus')?.code ?? ''),
];

export const changeRow = ({ event, before, after, beforeIsKnown, afterIsKnown }: FieldChange): readonly string[] => [
  stringAt(event, 'stageTimestamp'),
  userOf(event),
  stringAt(event, 'verb'),
  stringAt(event, 'userAgent').split(/[/ ]/)[0] ?? '',
  shown(before, beforeIsKnown),
  shown(after, afterIsKnown),
];

const shown = (value: JsonValue | undefined, isKnown: boolean): string =>
  value === undefined ? (isKnown ? '-' : '?') : JSON.stringify(value);

/** The user of a request, and the one that they acted as. */
function userOf(event: JsonObject): string {
  const [user, acting] = ['user', 'impersonatedUser'].map((field) => stringAt(objectAt(event, field), 'username'));
  return acting ? `${acting} (${user})` : user || '-';
}

/** As in `default/configmaps/one`, or the path where it is no resource. */
function objectOf(event: JsonObject): string {
  const reference = objectAt(event, 'objectRef');
  if (!reference) return stringAt(event, 'requestURI').split('?')[0] ?? '';
  const [namespace, name, resource, group, subresource] = [
    'namespace',
    'name',
    'resource',
    'apiGroup',
    'subresource',
  ].map((field) => stringAt(reference, field));
  const kind = group ? `${resource}.${group}` : resource;
  return [namespace, kind, name, subresource].filter(Boolean).join('/');
}
