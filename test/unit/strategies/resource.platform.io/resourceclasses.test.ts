import { expect, it } from 'vitest';
import type { ApiObject, JsonObject, KindHandlers } from '../../../../runtime/contract/index.js';
import { defineResourceClaimTemplatesV1alpha2 } from '../../../../strategies/resource.platform.io/resourceclaimtemplates-v1alpha2.js';
import { defineResourceClasses } from '../../../../strategies/resource.platform.io/resourceclasses.js';
import { contextOf } from '../../../support/handlers-suite.js';

const ofClasses = defineResourceClasses();
const ofTemplates = defineResourceClaimTemplatesV1alpha2();

const object = (kind: string, parts: JsonObject): ApiObject => ({
  apiVersion: 'resource.platform.io/v1alpha2',
  kind,
  metadata: { name: 'a' },
  ...parts,
});
const resourceClass = (parts: JsonObject): ApiObject =>
  object('ResourceClass', { driverName: 'driver.example.com', ...parts });
const template = (metadata: JsonObject): ApiObject =>
  object('ResourceClaimTemplate', { spec: { metadata, spec: { resourceClassName: 'gpu' } } });

const onNodes = (operator: string): JsonObject => ({
  suitableNodes: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'gpu', operator }] }] },
});

const fieldsOf = ({ validate }: KindHandlers, made: ApiObject): readonly string[] =>
  (validate?.(made, contextOf()) ?? []).map(({ field }) => field);

it.each<[JsonObject, readonly string[]]>([
  [{}, []],
  [{ driverName: '' }, ['driverName', 'driverName']],
  [{ driverName: 'two words' }, ['driverName']],
  [{ driverName: 'd'.repeat(64) }, ['driverName']],
  [{ driverName: 'Driver.Example.Com' }, []],
  [{ suitableNodes: { nodeSelectorTerms: [] } }, ['suitableNodes.nodeSelectorTerms']],
  [onNodes('Near'), ['suitableNodes.nodeSelectorTerms[0].matchExpressions[0].operator']],
])('a class with %j', (parts, fields) => expect(fieldsOf(ofClasses, resourceClass(parts))).toEqual(fields));

it.each<[JsonObject, readonly string[]]>([
  [{ labels: { 'two words': '' } }, ['spec.metadata.labels']],
  [{ annotations: { 'two words': '' } }, ['spec.metadata.annotations']],
  [{ name: 'a', finalizers: ['b'] }, ['spec.metadata.name', 'spec.metadata.finalizers']],
])('a template with metadata %j', (metadata, fields) =>
  expect(fieldsOf(ofTemplates, template(metadata))).toEqual(fields),
);
