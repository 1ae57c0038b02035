/** Errors from handlers: when handlers are called, and how often their errors are reported. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiObject, FieldError, KindHandlers } from '../../../../../runtime/contract/index.js';
import { required } from '../../../../../runtime/objects/field-error.js';
import { objectAt } from '../../../../../runtime/objects/guards.js';
import { startTestApi, type TestApi } from '../../../../support/test-api.js';
import { widget, widgets } from '../../../../support/widgets.js';

const bad = (object: ApiObject, field: string): readonly FieldError[] =>
  object.metadata.labels?.[field] === undefined ? [] : [required(field)];

let uidAtPreparation: string | undefined;

const handlers: KindHandlers = {
  resource: widgets,
  updateChecks: ['fields', 'field changes', 'fields'],
  prepareForCreate: (object) => {
    uidAtPreparation = object.metadata.uid;
  },
  validate: (object) => bad(object, 'any'),
  validateCreate: (object) => bad(object, 'new'),
  validateUpdate: (object) => bad(object, 'changed'),
};

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi([widgets], { handlers: [handlers] });
});
afterAll(() => api.close());

const path = `/apis/${widgets.group}/${widgets.version}/namespaces/default/${widgets.names.plural}`;

const labelled = (...labels: string[]): ApiObject => {
  const object = widget('a');
  const { resourceVersion: _revision, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, labels: Object.fromEntries(labels.map((label) => [label, ''])) } };
};

const fieldsOf = (body: { [key: string]: unknown }): unknown => {
  const details = objectAt(JSON.parse(JSON.stringify(body)), 'details');
  const causes = details?.causes;
  return Array.isArray(causes) ? causes.map((cause) => JSON.parse(JSON.stringify(cause)).field) : [];
};

it('checks new objects and changes separately, and changes as often as the kind requires', async () => {
  const refused = await api.send('POST', path, labelled('any', 'new', 'changed'));
  expect([refused.code, fieldsOf(refused.body)]).toEqual([422, ['any', 'new']]);
  expect((await api.send('POST', path, labelled())).code).toBe(201);
  const change = { metadata: { labels: { any: '', new: '', changed: '' } } };
  const update = await api.send('PATCH', `${path}/a`, change);
  expect([update.code, fieldsOf(update.body)]).toEqual([422, ['any', 'changed', 'any']]);
});

it('runs after handlers know which object it is', () => {
  expect(uidAtPreparation).toMatch(/^[0-9a-f-]{36}$/);
});
