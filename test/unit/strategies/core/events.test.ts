import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineEvents } from '../../../../strategies/core/events.js';
import { errorFieldsOf, objectOf } from '../../../support/field-errors.js';

const handlers = defineEvents(platformNaming);

const event = (body: JsonObject, namespace = 'team'): ApiObject => objectOf(handlers, body, { name: 'e', namespace });

const newForm = {
  involvedObject: { kind: 'Pod', name: 'p', namespace: 'team' },
  eventTime: '2024-01-01T00:00:00.000000Z',
  reportingComponent: 'example.com/controller',
  reportingInstance: 'i-1',
  action: 'Pull',
  reason: 'Pulled',
  message: 'text',
};

const fields = (body: JsonObject, namespace?: string) => errorFieldsOf(handlers, event(body, namespace));

describe('an Event of the older form', () => {
  it.each([
    ['team', 'team', []],
    ['team', 'other', ['involvedObject.namespace']],
    ['team', '', ['involvedObject.namespace']],
    ['default', '', []],
    ['platform-system', '', ['involvedObject.namespace']],
  ])('in %j about an object in %j', (own, namespace, wrong) => {
    expect(fields({ involvedObject: { namespace } }, own)).toEqual(wrong);
    expect(fields({ involvedObject: { namespace }, eventTime: null }, own)).toEqual(wrong);
  });
});

describe('an Event of the newer form', () => {
  it('may be about an object elsewhere, and about one without a namespace in the server’s own', () => {
    expect(fields({ ...newForm, involvedObject: { namespace: 'other' } })).toEqual([]);
    expect(fields({ ...newForm, involvedObject: {} })).toEqual(['involvedObject.namespace']);
    expect(fields({ ...newForm, involvedObject: {} }, 'default')).toEqual([]);
    expect(fields({ ...newForm, involvedObject: {} }, 'platform-system')).toEqual([]);
  });

  it('has its reporter and its action', () => {
    const { reportingInstance, action, reason, ...rest } = newForm;
    expect([reportingInstance, action, reason]).not.toContain('');
    expect(fields(rest)).toEqual(['reportingInstance', 'action', 'reason']);
    expect(fields({ ...newForm, reportingComponent: '' })).toContain('reportingComponent');
    expect(fields({ ...newForm, reportingComponent: 'not a name!' })).toEqual(['reportingComponent']);
  });

  it.each([
    ['reportingInstance', 128],
    ['action', 128],
    ['reason', 128],
    ['message', 1024],
  ])('has a limited length of %s', (field, maximum) => {
    expect(fields({ ...newForm, [field]: 'x'.repeat(maximum) })).toEqual([]);
    expect(fields({ ...newForm, [field]: 'x'.repeat(maximum + 1) })).toEqual([field]);
    expect(fields({ ...newForm, [field]: 'é'.repeat(maximum / 2 + 1) })).toEqual([field]);
  });
});

it('is selected by its reporting component, in either form', () => {
  const source = (body: JsonObject) => handlers.selectableFields?.source?.(event(body));
  expect(source({ source: { component: 'a' }, reportingComponent: 'b' })).toBe('a');
  expect(source({ source: {}, reportingComponent: 'b' })).toBe('b');
  expect(source({})).toBe('');
  expect(handlers.selectableFields?.reason?.(event({}))).toBeUndefined();
});

describe('cells of an Event', () => {
  const now = Date.parse('2024-01-01T01:00:00Z');
  const cell = (body: JsonObject, column: string) => handlers.columns?.[column]?.(event(body), now);

  it('show the older form', () => {
    const older = {
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec' },
      source: { component: 'agent', host: 'n1' },
      firstTimestamp: '2024-01-01T00:00:00Z',
      lastTimestamp: '2024-01-01T00:59:00Z',
      count: 3,
      message: ' text\n',
    };
    expect(cell(older, 'Last Seen')).toBe('60s');
    expect(cell(older, 'First Seen')).toBe('60m');
    expect(cell(older, 'Count')).toBe(3);
    expect(cell(older, 'Object')).toBe('pod/p');
    expect(cell(older, 'Subobject')).toBe('spec');
    expect(cell(older, 'Source')).toBe('agent, n1');
    expect(cell(older, 'Message')).toBe('text');
  });

  it('show the newer form', () => {
    expect(cell(newForm, 'Last Seen')).toBe('60m');
    expect(cell(newForm, 'First Seen')).toBe('60m');
    expect(cell(newForm, 'Count')).toBe(1);
    expect(cell(newForm, 'Source')).toBe('example.com/controller, i-1');
    const series = { count: 5, lastObservedTime: '2024-01-01T00:58:00.500000Z' };
    expect(cell({ ...newForm, series }, 'Last Seen')).toBe('119s');
    expect(cell({ ...newForm, series }, 'Count')).toBe(5);
  });

  it('show unknown values', () => {
    expect(cell({ firstTimestamp: null, eventTime: null }, 'Last Seen')).toBe('<unknown>');
    expect(cell({ involvedObject: { kind: 'Node' } }, 'Object')).toBe('node');
    expect(cell({ source: { component: 'agent' } }, 'Source')).toBe('agent');
  });
});
