import { expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineLimitRanges } from '../../../../strategies/core/limitranges.js';
import { errorFieldsOf, objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = defineLimitRanges(platformNaming);
const range = (...limits: JsonObject[]): ApiObject =>
  objectOf(handlers, { spec: { limits } }, { name: 'l', namespace: 'default' });

it.each([
  [{ type: 'Pod', max: { cpu: '1' }, min: { cpu: '2' } }, ['min[cpu]']],
  [{ type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } }, ['default', 'defaultRequest']],
  [{ type: 'Nonsense' }, ['type']],
  [{ type: 'example.com/own', max: { 'example.com/thing': '1' } }, []],
  [{ type: 'PersistentVolumeClaim' }, ['limits']],
  [{ type: 'PersistentVolumeClaim', min: { storage: '1Gi' } }, []],
  [{ type: 'Container', max: { bogus: '1' } }, ['max[bogus]', 'max[bogus]']],
  [{ type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '2' } }, ['defaultRequest[cpu]']],
  [{ type: 'Container', default: { cpu: '3' }, max: { cpu: '2' } }, ['default[cpu]']],
  [{ type: 'Container', maxLimitRequestRatio: { cpu: '500m' } }, ['maxLimitRequestRatio[cpu]']],
  [
    { type: 'Pod', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } },
    ['maxLimitRequestRatio[cpu]'],
  ],
  [
    { type: 'Container', default: { 'example.com/gpu': '2' }, defaultRequest: { 'example.com/gpu': '1' } },
    ['defaultRequest[example.com/gpu]'],
  ],
])('%j', (limit, fields) => {
  const found = errorFieldsOf(handlers, range(limit));
  expect(found).toEqual(fields.map((field) => `spec.limits[0].${field}`));
});

it('accepts each type once', () => {
  const found = handlers.validate?.(range({ type: 'Pod' }, { type: 'Pod' }), contextOf());
  expect(found).toMatchObject([{ field: 'spec.limits[1].type', reason: 'FieldValueDuplicate' }]);
});

it('fills in limits and requests of containers', () => {
  const object = range({
    type: 'Container',
    max: { cpu: '2', memory: '1Gi' },
    min: { cpu: '1' },
    default: { cpu: '1500m' },
  });
  handlers.canonicalize?.(object);
  expect(object.spec).toMatchObject({
    limits: [{ default: { cpu: '1500m', memory: '1Gi' }, defaultRequest: { cpu: '1500m', memory: '1Gi' } }],
  });
  const pod = range({ type: 'Pod', max: { cpu: '2' } });
  handlers.canonicalize?.(pod);
  expect(pod).toEqual(range({ type: 'Pod', max: { cpu: '2' } }));
});
