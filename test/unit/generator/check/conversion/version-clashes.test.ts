/** Reports versions that contradict each other at both places, and accepts versions that can be read as each other. */
import { describe, expect, it } from 'vitest';
import { checkVersionClashes } from '../../../../../generator/check/conversion/version-clashes.js';
import type { Problem } from '../../../../../generator/diagnostics/problem.js';
import { readCustomResource } from '../../../../../generator/model/custom-resource.js';
import type { JsonObject } from '../../../../../runtime/contract/index.js';

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...more } },
});

/** Returns the problems of a definition that stores v1, as `code version field`. */
function found(v1: JsonObject, v2: JsonObject, more: JsonObject = {}, served = true): string[] {
  const version = (name: string, openAPIV3Schema: JsonObject): JsonObject => ({
    name,
    served: name === 'v1' || served,
    storage: name === 'v1',
    schema: { openAPIV3Schema },
  });
  const spec = { group: 'example.com', names: { plural: 'things', kind: 'Thing' }, ...more };
  const value: JsonObject = { spec: { ...spec, versions: [version('v1', v1), version('v2', v2)] } };
  const problems: Problem[] = [];
  const model = readCustomResource(value, { path: 'a.yaml', hash: '' });
  checkVersionClashes(value, model, (problem) => problems.push(problem));
  return problems.map(({ code, path }) => `${code} ${path[2] === 0 ? 'v1' : 'v2'} ${path.slice(5).join('.')}`).sort();
}

const text = { type: 'string' };
const integer = { type: 'integer' };
const both = (code: string, path: string): string[] => [`${code} v1 ${path}`, `${code} v2 ${path}`];
const n = 'properties.spec.properties.n';

describe('contradictions', () => {
  it.each<[string, JsonObject, JsonObject, string[]]>([
    ['types', object({ n: text }), object({ n: integer }), both('KF4035', n)],
    ['an integer and a number', object({ n: { type: 'number' } }), object({ n: integer }), both('KF4035', n)],
    [
      'items',
      object({ n: { type: 'array', items: text } }),
      object({ n: { type: 'array', items: integer } }),
      both('KF4035', `${n}.items`),
    ],
    [
      'values of maps',
      object({ n: { type: 'object', additionalProperties: text } }),
      object({ n: { type: 'object', additionalProperties: integer } }),
      both('KF4035', `${n}.additionalProperties`),
    ],
    [
      'enums without a common value, beyond 2^53',
      object({ n: { ...integer, enum: [9007199254740992n] } }),
      object({ n: { ...integer, enum: [9007199254740993n] } }),
      both('KF4035', `${n}.enum`),
    ],
    [
      'values of a map and a field',
      object({ n: { type: 'object', additionalProperties: text } }),
      object({ n: { type: 'object', properties: { a: integer } } }),
      [`KF4035 v1 ${n}`, `KF4035 v2 ${n}.properties.a`],
    ],
    [
      'bounds without a common value',
      object({ n: { ...integer, minimum: 3 } }),
      object({ n: { ...integer, maximum: 2 } }),
      [`KF4035 v1 ${n}.minimum`, `KF4035 v2 ${n}.maximum`],
    ],
    [
      'lengths without a common value',
      object({ n: { ...text, maxLength: 2 } }),
      object({ n: { ...text, minLength: 3 } }),
      [`KF4035 v1 ${n}.maxLength`, `KF4035 v2 ${n}.minLength`],
    ],
    [
      'a null in one',
      object({ n: { ...text, nullable: true } }),
      object({ n: text }),
      [`KF4036 v1 ${n}.nullable`, `KF4036 v2 ${n}`],
    ],
    [
      'a set in one',
      object({ n: { type: 'array', items: text } }),
      object({ n: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' } }),
      [`KF4036 v1 ${n}`, `KF4036 v2 ${n}.x-kubernetes-list-type`],
    ],
    [
      'what the stored version requires',
      object({ n: text }, { required: ['n'] }),
      object({ n: text }),
      ['KF4036 v1 properties.spec.required.0', `KF4036 v2 ${n}`],
    ],
    [
      'what the other version requires, and the stored one does not have',
      object({}),
      object({ n: text }, { required: ['n'] }),
      ['KF4036 v1 properties.spec', 'KF4036 v2 properties.spec.required.0'],
    ],
    [
      'defaults',
      object({ n: { ...integer, default: 1 } }),
      object({ n: { ...integer, default: 2 } }),
      both('KF4037', `${n}.default`),
    ],
    [
      'a default at another level',
      object({ n: { type: 'object', default: { a: 1 }, properties: { a: integer } } }),
      object({ n: { type: 'object', properties: { a: { ...integer, default: 1 } } } }),
      [
        `KF4037 v1 ${n}.default`,
        `KF4037 v1 ${n}.properties.a`,
        `KF4037 v2 ${n}`,
        `KF4037 v2 ${n}.properties.a.default`,
      ],
    ],
    [
      'fields named like members of objects',
      object({ constructor: text }),
      object({ constructor: integer }),
      both('KF4035', 'properties.spec.properties.constructor'),
    ],
  ])('%s', (_title, v1, v2, problems) => {
    expect(found(v1, v2)).toEqual(problems);
  });
});

describe('no contradictions', () => {
  const anything = { 'x-kubernetes-preserve-unknown-fields': true };
  it.each<[string, JsonObject, JsonObject]>([
    ['equal schemas', object({ n: text }), object({ n: text })],
    ['a field that one has', object({ n: text }), object({ m: text })],
    ['any value in one', object({ n: text }), object({ n: anything })],
    [
      'enums with a common value',
      object({ n: { ...text, enum: ['a', 'b'] } }),
      object({ n: { ...text, enum: ['b'] } }),
    ],
    [
      'a required field with a default',
      object({ n: { ...text, default: 'a' } }, { required: ['n'] }),
      object({ n: { ...text, default: 'a' } }),
    ],
    [
      'bounds with one common value',
      object({ n: { ...integer, minimum: 2 } }),
      object({ n: { ...integer, maximum: 2 } }),
    ],
    [
      'a null where the other has a default',
      object({ n: { ...text, nullable: true, default: 'a' } }),
      object({ n: { ...text, default: 'a' } }),
    ],
    [
      'a list that is atomic in one',
      object({ n: { type: 'array', items: text, 'x-kubernetes-list-type': 'atomic' } }),
      object({ n: { type: 'array', items: text } }),
    ],
    ['kept unknown fields', object({}, anything), object({ n: text }, { required: ['n'] })],
    ['a name that every object inherits', object({ constructor: text }), object({})],
  ])('%s', (_title, v1, v2) => {
    expect(found(v1, v2)).toEqual([]);
  });

  it('if a webhook converts, or a version is not served', () => {
    const [v1, v2] = [object({ n: text }), object({ n: integer })];
    const webhook = { clientConfig: { url: 'https://example.com/' }, conversionReviewVersions: ['v1'] };
    expect(found(v1, v2, { conversion: { strategy: 'Webhook', webhook } })).toEqual([]);
    expect(found(v1, v2, { conversion: { strategy: 'None' } })).toHaveLength(2);
    expect(found(v1, v2, {}, false)).toEqual([]);
  });
});
