/** Event: its older and its newer form, and its columns. */
import { defineEventHandlers } from '../../generated/core/v1/events/handlers.js';
import type { Event } from '../../generated/core/v1/events/types.js';
import type { DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { byteLength, qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { timeSince } from '../../runtime/objects/scan/time.js';

type EventDraft = DraftObject<Event>;

const maxWord = 128;
const maxMessage = 1024;

export function defineEvents({ namespaces }: Naming): KindHandlers {
  return defineEventHandlers({
    metadataChecks: 'last',
    updateChecks: ['fields'],
    validate: (event) => eventErrors(event, namespaces, 'reportingComponent'),
    propagation: () => 'none',
    selectableFields: { source: componentOf },
    columns: eventColumns,
  });
}

/**
 * Checks an event in either form. `controllerField` is the name of the reporting controller in the writer's version.
 */
export function eventErrors(
  event: EventDraft,
  namespaces: Naming['namespaces'],
  controllerField: 'reportingComponent' | 'reportingController',
): readonly FieldError[] {
  if (!event.eventTime) return olderFormErrors(event, namespaces.default);
  // Events about cluster-scoped objects may be in these namespaces.
  const forClusterObjects = new Set([namespaces.default, namespaces.system]);
  return [...namespaceErrors(event, forClusterObjects), ...newFormErrors(event, controllerField)];
}

const otherNamespace = (namespace: string): FieldError =>
  invalidValue('involvedObject.namespace', namespace, 'does not match event.namespace');

/** Without `eventTime`, an event is in the namespace of its object; cluster-scoped objects have a default. */
function olderFormErrors({ metadata, involvedObject }: EventDraft, defaultNamespace: string): readonly FieldError[] {
  const { namespace = '' } = involvedObject ?? {};
  const own = metadata.namespace ?? '';
  const fits = namespace === '' ? own === '' || own === defaultNamespace : own === namespace;
  return fits ? [] : [otherNamespace(namespace)];
}

/** With `eventTime`, an event about a cluster-scoped object is in one of a few namespaces. */
function namespaceErrors(event: EventDraft, forClusterObjects: ReadonlySet<string>): readonly FieldError[] {
  const { metadata, involvedObject } = event;
  const fits = involvedObject?.namespace || forClusterObjects.has(metadata.namespace ?? '');
  return fits ? [] : [otherNamespace('')];
}

/** With `eventTime`, an event names the reporting controller and the action. */
function newFormErrors(event: EventDraft, controllerField: string): readonly FieldError[] {
  const { reportingComponent: controller = '', message } = event;
  return [
    ...(controller === '' ? [required(controllerField)] : []),
    ...qualifiedNameCheck(controller).map((problem) => invalidValue(controllerField, controller, problem)),
    ...(['reportingInstance', 'action', 'reason'] as const).flatMap((field) => wordErrors(event[field], field)),
    ...lengthErrors(message, 'message', maxMessage),
  ];
}

const wordErrors = (text: string | undefined, path: string): readonly FieldError[] =>
  text ? lengthErrors(text, path, maxWord) : [required(path)];

function lengthErrors(text = '', path: string, maximum: number): readonly FieldError[] {
  if (byteLength(text) <= maximum) return [];
  return [invalidValue(path, '', `can have at most ${maximum} characters`)];
}

/** Returns the program that reports the event, in either form. */
const componentOf = ({ source, reportingComponent = '' }: EventDraft): string =>
  source?.component || reportingComponent;

function sourceText(event: EventDraft): string {
  const instance = event.source?.host || event.reportingInstance;
  return instance ? `${componentOf(event)}, ${instance}` : componentOf(event);
}

function objectText({ involvedObject: { kind = '', name } = {} }: EventDraft): string {
  return name ? `${kind.toLowerCase()}/${name}` : kind.toLowerCase();
}

const firstSeen = ({ firstTimestamp, eventTime }: EventDraft, now: number): string =>
  timeSince(firstTimestamp ?? eventTime, now);

function lastSeen(event: EventDraft, now: number): string {
  if (event.series) return timeSince(event.series.lastObservedTime, now);
  return event.lastTimestamp ? timeSince(event.lastTimestamp, now) : firstSeen(event, now);
}

/** Returns the count; an event of the newer form that happened once has none. */
const countOf = ({ series, count }: EventDraft): number => (series ? (series.count ?? 0) : count || 1);

/** The columns of events in either form. */
export const eventColumns = {
  'Last Seen': lastSeen,
  Type: ({ type = '' }: EventDraft) => type,
  Reason: ({ reason = '' }: EventDraft) => reason,
  Object: objectText,
  Subobject: ({ involvedObject }: EventDraft) => involvedObject?.fieldPath ?? '',
  Source: sourceText,
  Message: ({ message = '' }: EventDraft) => message.trim(),
  'First Seen': firstSeen,
  Count: countOf,
};
