import { expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { defineResourceClaimTemplatesV1alpha2 } from '../../../../strategies/resource.platform.io/resourceclaimtemplates-v1alpha2.js';
import { defineResourceClasses } from '../../../../strategies/resource.platform.io/resourceclasses.js';
import { errorFieldsOf, objectOf } from '../../../support/field-errors.js';

const ofClasses = defineResourceClasses();
const ofTemplates = defineResourceClaimTemplatesV1alpha2();

const resourceClass = (parts: JsonObject): ApiObject =>
  objectOf(ofClasses, { driverName: 'driver.example.com', ...parts });
const template = (metadata: JsonObject): ApiObject =>
  objectOf(ofTemplates, { spec: { metadata, spec: { resourceClassName: 'gpu' } } });

const onNodes = (operator: string): JsonObject => ({
  suitableNodes: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'gpu', operator }] }] },
});

it.each<[JsonObject, readonly string[]]>([
  [{}, []],
  [{ driverName: '' }, ['driverName', 'driverName']],
  [{ driverName: 'two words' }, ['driverName']],
  [{ driverName: 'd'.repeat(64) }, ['driverName']],
  [{ driverName: 'Driver.Example.Com' }, []],
  [{ suitableNodes: { nodeSelectorTerms: [] } }, ['suitableNodes.nodeSelectorTerms']],
  [onNodes('Near'), ['suitableNodes.nodeSelectorTerms[0].matchExpressions[0].operator']],
])('a class with %j', (parts, fields) => expect(errorFieldsOf(ofClasses, resourceClass(parts))).toEqual(fields));

it.each<[JsonObject, readonly string[]]>([
  [{ labels: { 'two words': '' } }, ['spec.metadata.labels']],
  [{ annotations: { 'two words': '' } }, ['spec.metadata.annotations']],
  [{ name: 'a', finalizers: ['b'] }, ['spec.metadata.name', 'spec.metadata.finalizers']],
])('a template with metadata %j', (metadata, fields) =>
  expect(errorFieldsOf(ofTemplates, template(metadata))).toEqual(fields),
);
