/** Tells which events of a log somebody asks for. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';

/** The conditions that events have to meet; those that are absent play no part. */
export interface EventFilter {
  /** The name of the user, or of the one that they acted as. */
  readonly user?: string;
  readonly verbs?: readonly string[];
  /** As in `configmaps`, `deployments.apps` or `pods/status`; without a subresource that of any, without a group any. */
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
}

export function eventMatches(filter: EventFilter, event: JsonObject): boolean {
  const { user, verbs, resource, namespace, name, since, until } = filter;
  const reference = objectAt(event, 'objectRef');
  if (user !== undefined && !usersOf(event).includes(user)) return false;
  if (verbs && !verbs.includes(stringAt(event, 'verb'))) return false;
  if (resource !== undefined && !resourceMatches(resource, reference)) return false;
  if (namespace !== undefined && stringAt(reference, 'namespace') !== namespace) return false;
  if (name !== undefined && stringAt(reference, 'name') !== name) return false;
  const time = Date.parse(stringAt(event, 'stageTimestamp'));
  return !(since !== undefined && time < since) && !(until !== undefined && time > until);
}

/** The user who made a request, and the one that it counts as. */
const usersOf = (event: JsonObject): readonly string[] =>
  ['user', 'impersonatedUser'].map((field) => stringAt(objectAt(event, field), 'username')).filter(Boolean);

function resourceMatches(wanted: string, reference: JsonObject | undefined): boolean {
  const [full = '', subresource] = wanted.split('/', 2);
  const [resource = '', ...group] = full.split('.');
  if (stringAt(reference, 'resource') !== resource) return false;
  if (group.length > 0 && stringAt(reference, 'apiGroup') !== group.join('.')) return false;
  return subresource === undefined || stringAt(reference, 'subresource') === subresource;
}

/** Whether an event is the last of its request: each request has one. */
export function isLast(event: JsonObject): boolean {
  const stage = stringAt(event, 'stage');
  if (stage === 'ResponseComplete' || stage === 'Panic') return true;
  // A request whose user nobody knows ends when it is answered.
  return stage === 'ResponseStarted' && stringAt(objectAt(event, 'user'), 'username') === '';
}
