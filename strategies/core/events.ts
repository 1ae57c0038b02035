/** Event: which fields belong together, who noticed it, and how tables show it. */
import type { ApiObject, FieldError, Strategy } from '../../runtime/contract/index.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../runtime/objects/key-names.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { byteLength } from '../../runtime/objects/printing.js';
import { timeSince } from '../../runtime/objects/time/human-duration.js';

const maxWord = 128;
const maxMessage = 1024;

export function defineEventStrategy({ namespaces }: Naming): Strategy {
  // Events about objects without a namespace may be told in these.
  const forClusterObjects = new Set([namespaces.default, namespaces.system]);
  return {
    kind: 'Event',
    validate: (object) =>
      hasTime(object)
        ? [...namespaceErrors(object, forClusterObjects), ...newFormErrors(object)]
        : olderFormErrors(object, namespaces.default),
    selectableField: (object, path) => (path === 'source' ? componentOf(object) : undefined),
    cell: eventCell,
  };
}

const hasTime = (event: ApiObject): boolean => typeof event.eventTime === 'string';

const involvedNamespace = (event: ApiObject): string => stringAt(objectAt(event, 'involvedObject'), 'namespace');

const otherNamespace = (namespace: string): FieldError =>
  invalidValue('involvedObject.namespace', namespace, 'does not match event.namespace');

/** Without an `eventTime`, event and object are in the same namespace, but for objects that have none. */
function olderFormErrors(event: ApiObject, defaultNamespace: string): FieldError[] {
  const namespace = involvedNamespace(event);
  const own = event.metadata.namespace ?? '';
  const fits = namespace === '' ? own === '' || own === defaultNamespace : own === namespace;
  return fits ? [] : [otherNamespace(namespace)];
}

function namespaceErrors(event: ApiObject, forClusterObjects: ReadonlySet<string>): FieldError[] {
  const fits = involvedNamespace(event) !== '' || forClusterObjects.has(event.metadata.namespace ?? '');
  return fits ? [] : [otherNamespace('')];
}

/** With an `eventTime`, the event says who noticed it and what was done. */
function newFormErrors(event: ApiObject): FieldError[] {
  const controller = stringAt(event, 'reportingComponent');
  return [
    ...(controller === '' ? [required('reportingController')] : []),
    ...qualifiedNameCheck(controller).map((problem) => invalidValue('reportingController', controller, problem)),
    ...['reportingInstance', 'action', 'reason'].flatMap((field) => wordErrors(event, field)),
    ...lengthErrors(event, 'message', maxMessage),
  ];
}

function wordErrors(event: ApiObject, field: string): FieldError[] {
  return stringAt(event, field) === '' ? [required(field)] : lengthErrors(event, field, maxWord);
}

function lengthErrors(event: ApiObject, field: string, maximum: number): FieldError[] {
  if (byteLength(stringAt(event, field)) <= maximum) return [];
  return [invalidValue(field, '', `can have at most ${maximum} characters`)];
}

/** The program that noticed it, whichever of the two forms names it. */
function componentOf(event: ApiObject): string {
  return stringAt(objectAt(event, 'source'), 'component') || stringAt(event, 'reportingComponent');
}

function sourceText(event: ApiObject): string {
  const instance = stringAt(objectAt(event, 'source'), 'host') || stringAt(event, 'reportingInstance');
  return instance === '' ? componentOf(event) : `${componentOf(event)}, ${instance}`;
}

function objectText(event: ApiObject): string {
  const involved = objectAt(event, 'involvedObject');
  const kind = stringAt(involved, 'kind').toLowerCase();
  const name = stringAt(involved, 'name');
  return name === '' ? kind : `${kind}/${name}`;
}

const firstSeen = (event: ApiObject, now: number): string => timeSince(event.firstTimestamp ?? event.eventTime, now);

function lastSeen(event: ApiObject, now: number): string {
  const series = objectAt(event, 'series');
  if (series) return timeSince(series.lastObservedTime, now);
  return typeof event.lastTimestamp === 'string' ? timeSince(event.lastTimestamp, now) : firstSeen(event, now);
}

function countOf(event: ApiObject): number {
  const series = objectAt(event, 'series');
  if (series) return typeof series.count === 'number' ? series.count : 0;
  // Events of the newer form that happened once have no count.
  return typeof event.count === 'number' && event.count !== 0 ? event.count : 1;
}

type Cell = (event: ApiObject, now: number) => string | number;

const cells: ReadonlyMap<string, Cell> = new Map<string, Cell>([
  ['Last Seen', lastSeen],
  ['Type', (event) => stringAt(event, 'type')],
  ['Reason', (event) => stringAt(event, 'reason')],
  ['Object', objectText],
  ['Subobject', (event) => stringAt(objectAt(event, 'involvedObject'), 'fieldPath')],
  ['Source', sourceText],
  ['Message', (event) => stringAt(event, 'message').trim()],
  ['First Seen', firstSeen],
  ['Count', countOf],
]);

const eventCell: Strategy['cell'] = (event, column, now) => cells.get(column)?.(event, now);
