/** Event of the events group: stricter than in the core group, and checked under its field names there. */
import { defineEventHandlers } from '../../generated/events.platform.io/v1/events/handlers.js';
import type { Event } from '../../generated/events.platform.io/v1/events/types.js';
import type { ObjectReference } from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { type BadValue, invalidValue, required, type Verbatim } from '../../runtime/objects/field-error.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { eventColumns, eventErrors } from '../core/events.js';
import { printedTexts } from '../shared/printed-values.js';

export function defineEventsV1(names: Naming): KindHandlers {
  return defineEventHandlers({
    updateChecks: ['fields', 'metadata changes', 'field changes'],
    validate: (event) => eventErrors(coreForm(event), names.namespaces, 'reportingController'),
    validateCreate: (event) => newErrors(coreForm(event)),
    validateUpdate: (event, old) => changeErrors(coreForm(event), coreForm(old)),
    propagation: () => 'none',
    columns,
  });
}

/** Adds the fields that the core group names differently, under those names. */
const coreForm = (event: DraftObject<Event>) => ({
  ...event,
  involvedObject: event.regarding,
  message: event.note,
  reportingComponent: event.reportingController,
  source: event.deprecatedSource,
  firstTimestamp: event.deprecatedFirstTimestamp,
  lastTimestamp: event.deprecatedLastTimestamp,
  count: event.deprecatedCount,
});

type CoreForm = ReturnType<typeof coreForm>;

/** The columns of the core group. */
const columns = Object.fromEntries(
  Object.entries(eventColumns).map(([name, read]) => [
    name,
    (event: DraftObject<Event>, now: number) => read(coreForm(event), now),
  ]),
);

/** A new event has a time and one of two types, and none of the fields that only the older form has. */
function newErrors(event: CoreForm): readonly FieldError[] {
  const { type = '', source } = event;
  const used: readonly (readonly [field: string, isUsed: unknown])[] = [
    ['firstTimestamp', event.firstTimestamp],
    ['lastTimestamp', event.lastTimestamp],
    ['count', event.count],
    ['source', source?.component || source?.host],
  ];
  return [
    ...seriesErrors(event),
    ...(event.eventTime ? [] : [required('eventTime')]),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalidValue('type', '', `has invalid value: ${type}`)]),
    ...used.flatMap(([field, isUsed]) => (isUsed ? [invalidValue(field, '', 'needs to be unset')] : [])),
  ];
}

/** The count of a series is at least two. */
function seriesErrors({ series }: CoreForm): readonly FieldError[] {
  if (!series) return [];
  const { count = 0, lastObservedTime } = series;
  return [
    ...(count < 2 ? [invalidValue('series.count', '', 'should be at least 2')] : []),
    ...(lastObservedTime ? [] : [required('series.lastObservedTime')]),
  ];
}

/** Fields that cannot change, by their names in errors, in order. The reference checks the reason twice. */
const immutableFields = [
  ...(['involvedObject', 'reason', 'message', 'source', 'firstTimestamp', 'lastTimestamp', 'count'] as const),
  ...(['reason', 'type'] as const),
  ...(['eventTime', 'action', 'related', 'reportingController', 'reportingInstance'] as const),
] as const;

/** Only the series may change. */
function changeErrors(event: CoreForm, old: CoreForm): readonly FieldError[] {
  const changed = immutableFields.flatMap((field) =>
    equal(event[field] ?? null, old[field] ?? null)
      ? []
      : [invalidValue(field, printedField(event, field), 'field is immutable')],
  );
  return [...(equal(event.series ?? null, old.series ?? null) ? [] : seriesErrors(event)), ...changed];
}

/** Returns the value of a field for messages. References and sources have the names of their types. */
function printedField(event: CoreForm, field: (typeof immutableFields)[number]): BadValue {
  if (field === 'involvedObject') return printedReference(event.involvedObject ?? {});
  if (field === 'related') return event.related && printedReference(event.related);
  if (field !== 'source') return event[field];
  const { component, host } = event.source ?? {};
  return printedTexts('core.EventSource', { Component: component, Host: host });
}

const printedReference = (reference: Draft<ObjectReference>): Verbatim =>
  printedTexts('core.ObjectReference', {
    Kind: reference.kind,
    Namespace: reference.namespace,
    Name: reference.name,
    UID: reference.uid,
    APIVersion: reference.apiVersion,
    ResourceVersion: reference.resourceVersion,
    FieldPath: reference.fieldPath,
  });
