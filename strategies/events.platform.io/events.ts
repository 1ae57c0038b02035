/** Event of the group of its own: stricter than the one of the core group, as whose objects these are stored. */
import type { ApiObject, FieldError, JsonValue, Strategy } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { defineEventStrategy } from '../core/events.js';

/** Fields that have another name in the core group. */
const olderNames = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
] as const;

/** What cannot be changed, by the names that errors have for it, in their order. */
const lasting = [
  ...['involvedObject', 'reason', 'message', 'source', 'firstTimestamp', 'lastTimestamp', 'count', 'type'],
  ...['eventTime', 'action', 'related', 'reportingController', 'reportingInstance'],
] as const;

export function defineEventsV1Strategy(names: Naming): Strategy {
  const older = defineEventStrategy(names);
  return {
    kind: 'events.platform.io/Event',
    validate: (event, context) => older.validate?.(olderForm(event), context) ?? [],
    validateCreate: (event) => newErrors(olderForm(event)),
    validateUpdate: (event, old) => changeErrors(olderForm(event), olderForm(old)),
    cell: (event, column, now) => older.cell?.(olderForm(event), column, now),
  };
}

/** The same event under the names of the core group, to be read only. */
function olderForm(event: ApiObject): ApiObject {
  const renamed = olderNames.map(([name, olderName]) => [olderName, event[name]] as const);
  return { ...event, ...Object.fromEntries(renamed) };
}

/** What the newer form asks of an event besides, and fields of the older form that it has no use for. */
function newErrors(event: ApiObject): readonly FieldError[] {
  const type = stringAt(event, 'type');
  const source = objectAt(event, 'source');
  const used: readonly (readonly [field: string, isUsed: boolean])[] = [
    ['firstTimestamp', isSet(event.firstTimestamp)],
    ['lastTimestamp', isSet(event.lastTimestamp)],
    ['count', isSet(event.count) && event.count !== 0],
    ['source', stringAt(source, 'component') !== '' || stringAt(source, 'host') !== ''],
  ];
  return [
    ...seriesErrors(event),
    ...(isSet(event.eventTime) ? [] : [required('eventTime')]),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalidValue('type', '', `has invalid value: ${type}`)]),
    ...used.flatMap(([field, isUsed]) => (isUsed ? [invalidValue(field, '', 'needs to be unset')] : [])),
  ];
}

const isSet = (value: JsonValue | undefined): boolean => value !== undefined && value !== null;

/** An event that happened again has happened twice at least. */
function seriesErrors(event: ApiObject): readonly FieldError[] {
  const series = objectAt(event, 'series');
  if (series === undefined) return [];
  const count = typeof series.count === 'number' ? series.count : 0;
  return [
    ...(count < 2 ? [invalidValue('series.count', '', 'should be at least 2')] : []),
    ...(isSet(series.lastObservedTime) ? [] : [required('series.lastObservedTime')]),
  ];
}

function changeErrors(event: ApiObject, old: ApiObject): readonly FieldError[] {
  const changed = lasting.flatMap((field) => {
    const value = event[field] ?? null;
    return equal(value, old[field] ?? null) ? [] : [invalidValue(field, value, 'field is immutable')];
  });
  return [...(equal(event.series ?? null, old.series ?? null) ? [] : seriesErrors(event)), ...changed];
}
