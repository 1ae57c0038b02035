import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineEventsV1 } from '../../../../strategies/events.platform.io/events.js';
import { contextOf } from '../../../support/handlers-suite.js';
import { storedObject } from '../../../support/stored-objects.js';

const handlers = defineEventsV1(platformNaming);

const event = (more: JsonObject = {}): ApiObject => ({ ...storedObject(handlers), ...more });

const textsOf = (errors: readonly { readonly field: string; readonly message: string }[] | undefined): string[] =>
  (errors ?? []).map(({ field, message }) => `${field}: ${message}`);

const created = (more: JsonObject): string[] => {
  const object = event(more);
  return textsOf([
    ...(handlers.validate?.(object, contextOf()) ?? []),
    ...(handlers.validateCreate?.(object, contextOf()) ?? []),
  ]);
};

const changed = (more: JsonObject): string[] => textsOf(handlers.validateUpdate?.(event(more), event(), contextOf()));

describe('a new event', () => {
  it.each<[string, JsonObject, string[]]>([
    ['as it should be', {}, []],
    ['without its time', { eventTime: null }, ['eventTime: Required value']],
    ['of no type', { type: '' }, ['type: Invalid value: "": has invalid value: ']],
    ['of another type', { type: 'Error' }, ['type: Invalid value: "": has invalid value: Error']],
    ['that counts in the older form', { deprecatedCount: 2 }, ['count: Invalid value: "": needs to be unset']],
    [
      'with times of the older form',
      { deprecatedFirstTimestamp: '2024-05-06T07:08:09Z', deprecatedLastTimestamp: '2024-05-06T07:08:09Z' },
      ['firstTimestamp: Invalid value: "": needs to be unset', 'lastTimestamp: Invalid value: "": needs to be unset'],
    ],
    ['with a source', { deprecatedSource: { host: 'h' } }, ['source: Invalid value: "": needs to be unset']],
    ['with an empty source', { deprecatedSource: {} }, []],
    [
      'of a series that is none',
      { series: { count: 1, lastObservedTime: null } },
      ['series.count: Invalid value: "": should be at least 2', 'series.lastObservedTime: Required value'],
    ],
    ['of a series', { series: { count: 2, lastObservedTime: '2024-05-06T07:08:09.000000Z' } }, []],
  ])('%s', (_name, more, errors) => expect(created(more)).toEqual(errors));
});

describe('an existing event', () => {
  it.each<[string, JsonObject, string[]]>([
    ['may stay as it is', {}, []],
    ['may happen again', { series: { count: 2, lastObservedTime: '2024-05-06T07:08:09.000000Z' } }, []],
    ['keeps what it says', { note: 'other' }, ['message: Invalid value: "other": field is immutable']],
    ['keeps what was done', { action: 'Push' }, ['action: Invalid value: "Push": field is immutable']],
    [
      'keeps its reason, which is checked twice',
      { reason: 'Other' },
      Array<string>(2).fill('reason: Invalid value: "Other": field is immutable'),
    ],
    [
      'keeps its object, printed with its type',
      { regarding: { kind: 'Pod', name: 'q', apiVersion: 'v1' } },
      [
        'involvedObject: Invalid value: core.ObjectReference{Kind:"Pod", Namespace:"", Name:"q", UID:"", ' +
          'APIVersion:"v1", ResourceVersion:"", FieldPath:""}: field is immutable',
      ],
    ],
    [
      'keeps its source, printed with its type',
      { deprecatedSource: { host: 'h' } },
      ['source: Invalid value: core.EventSource{Component:"", Host:"h"}: field is immutable'],
    ],
    [
      'keeps the controller',
      { reportingController: 'x' },
      ['reportingController: Invalid value: "x": field is immutable'],
    ],
  ])('%s', (_name, more, errors) => expect(changed(more)).toEqual(errors));

  it('is shown like one of the core group', () => {
    expect(handlers.columns?.Object?.(event(), 0)).toBe('pod/p');
    expect(handlers.columns?.Message?.(event(), 0)).toBe('It runs.');
  });
});
