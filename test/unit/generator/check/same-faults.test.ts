/** `check` refuses the schema of a definition exactly if the server refuses it. */

import { describe, expect, test } from 'vitest';
import { checkDefinition } from '../../../../generator/check/definition.js';
import { severityOf } from '../../../../generator/diagnostics/codes.js';
import type { Problem } from '../../../../generator/diagnostics/problem.js';
import { readCustomResource } from '../../../../generator/model/custom-resource.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { expressionsOf } from '../../../../strategies/apiextensions.platform.io/definitions/expressions.js';
import { allRequired } from '../../../../strategies/apiextensions.platform.io/definitions/keyword-errors.js';
import { schemaErrors } from '../../../../strategies/apiextensions.platform.io/definitions/version-schema.js';

const text = { type: 'string' };
const field = (schema: JsonObject): JsonObject => ({ type: 'object', properties: { a: schema } });
const rule = (said: JsonObject): JsonObject => field({ ...text, 'x-kubernetes-validations': [said] });
const ofMap = (items: JsonObject, keys: string[] = ['k']): JsonObject =>
  field({ type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys });
const item = (key: JsonObject): JsonObject => ({ type: 'object', properties: { k: key }, required: ['k'] });

const refused: Readonly<Record<string, JsonObject>> = {
  'no type': field({}),
  'no type below an odd key': field({ type: 'object', additionalProperties: {} }),
  'root of another type': text,
  'root that is a map': { type: 'object', additionalProperties: text },
  'nullable root': { type: 'object', nullable: true },
  'list without items': field({ type: 'array' }),
  'marker beside int-or-string': field({
    'x-kubernetes-int-or-string': true,
    'x-kubernetes-preserve-unknown-fields': true,
  }),
  'embedded object without fields': field({ type: 'object', 'x-kubernetes-embedded-resource': true }),
  'kind that is a number': { type: 'object', properties: { kind: { type: 'integer' } } },
  'metadata with labels': {
    type: 'object',
    properties: { metadata: { type: 'object', properties: { labels: text } } },
  },
  'metadata with a description': { type: 'object', properties: { metadata: { type: 'object', description: 'd' } } },
  'metadata with rules': {
    type: 'object',
    properties: { metadata: { type: 'object', 'x-kubernetes-validations': [{ rule: 'true' }] } },
  },
  'default of a name': {
    type: 'object',
    properties: { metadata: { type: 'object', properties: { name: { ...text, default: 'a' } } } },
  },
  'type in a rule': field({ ...text, allOf: [{ type: 'string' }] }),
  'closed object in a rule': field({ type: 'object', not: { additionalProperties: false } }),
  'default of false in a rule': field({ type: 'boolean', not: { default: false } }),
  'metadata in a rule': field({
    type: 'object',
    properties: { metadata: text },
    not: { properties: { metadata: {} } },
  }),
  'set items in a rule': field({ type: 'array', items: text, not: { uniqueItems: true } }),
  'field that only a rule of the root knows': { type: 'object', not: { properties: { b: { minimum: 1 } } } },
  'value of a map that a rule names': {
    type: 'object',
    properties: { a: { type: 'object', additionalProperties: text } },
    not: { properties: { a: { properties: { b: { enum: ['c'] } } } } },
  },
  'pattern with look-ahead': field({ ...text, pattern: '(?=a)' }),
  'pattern in a rule': field({ ...text, anyOf: [{ pattern: '(' }] }),
  'fields of a map': field({ type: 'object', properties: { b: text }, additionalProperties: text }),
  'unique items': field({ type: 'array', items: text, uniqueItems: true }),
  'list type of a string': field({ ...text, 'x-kubernetes-list-type': 'set' }),
  'map type of a string': field({ ...text, 'x-kubernetes-map-type': 'atomic' }),
  'set of granular objects': field({ type: 'array', items: field(text), 'x-kubernetes-list-type': 'set' }),
  'no keys': ofMap(item(text), []),
  'unknown key': ofMap(item(text), ['k', 'l']),
  'key that is a list': ofMap(item({ type: 'array', items: text })),
  'key named twice': ofMap(item(text), ['k', 'k']),
  'key that may be missing': ofMap({ type: 'object', properties: { k: text } }),
  'key that may be null': ofMap(item({ ...text, nullable: true })),
  'empty rule': rule({ rule: ' ' }),
  'message of two lines': rule({ rule: 'true', message: 'a\nb' }),
  'rule of two lines whose message is an expression': rule({ rule: 'true &&\ntrue', messageExpression: '"a"' }),
  'rule that yields a text': rule({ rule: 'self' }),
  'path to no field': rule({ rule: 'true', fieldPath: '.b' }),
  'oldSelf in a list that is not of type map': field({
    type: 'array',
    maxItems: 5,
    items: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > oldSelf' }] },
  }),
};

const accepted: Readonly<Record<string, JsonObject>> = {
  'plain fields': field(text),
  'types of an integer or string': field({
    'x-kubernetes-int-or-string': true,
    anyOf: [{ type: 'integer' }, { type: 'string' }],
  }),
  'types as alternatives beside a type': field({ ...text, anyOf: [{ type: 'integer' }, { type: 'string' }] }),
  'keywords of a rule that say nothing': field({ ...text, not: { nullable: false, description: '', enum: ['a'] } }),
  'empty keywords of metadata': { type: 'object', properties: { metadata: { type: 'object', required: [] } } },
  'keys of a map list': ofMap(item(text)),
};

/** Keywords that a root may have, but not beside the status subresource. */
const withoutStatus: Readonly<Record<string, JsonObject>> = {
  alternatives: { type: 'object', anyOf: [{ required: ['a'] }], properties: { a: text } },
  'a bound': { type: 'object', minProperties: 1 },
};

/** Returns whether the server and `check` refuse a schema. */
function refusals(
  openAPIV3Schema: JsonObject,
  hasStatus = false,
): { readonly server: boolean; readonly check: boolean } {
  const settings = { ratchets: allRequired, expressions: expressionsOf(emulate()) };
  const paced = [...schemaErrors({ openAPIV3Schema }, 'schema', hasStatus, settings)];
  const errors = paced.filter((error) => error !== undefined);
  const subresources = hasStatus ? { subresources: { status: {} } } : {};
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...subresources }];
  const spec = { group: 'example.com', names: { plural: 'things', kind: 'Thing' }, scope: 'Cluster', versions };
  const value = { metadata: { name: 'things.example.com' }, spec };
  const problems: Problem[] = [];
  const context = { types: new Map(), cycles: new Set(), isIncomplete: false };
  const model = readCustomResource(value, { path: 'a.yaml', hash: '' });
  checkDefinition({ kind: 'CustomResourceDefinition', value }, model, context, (problem) => problems.push(problem));
  const check = problems.some(({ code }) => severityOf(code, false) === 'error');
  return { server: errors.length > 0, check };
}

describe('check and the server', () => {
  test.each(Object.entries(refused))('both refuse: %s', (_, schema) => {
    expect(refusals(schema)).toEqual({ server: true, check: true });
  });

  test.each(Object.entries(accepted))('both accept: %s', (_, schema) => {
    expect(refusals(schema)).toEqual({ server: false, check: false });
  });

  test.each(Object.entries(withoutStatus))('both refuse beside the status subresource only: %s', (_, schema) => {
    expect(refusals(schema)).toEqual({ server: false, check: false });
    expect(refusals(schema, true)).toEqual({ server: true, check: true });
  });
});
