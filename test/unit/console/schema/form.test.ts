import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { OpenApiSchema } from 'kindforge/client';
import { describe, expect, it } from 'vitest';
import {
  areFew,
  choicesOf,
  fieldsOf,
  isFixed,
  kindFor,
  newValue,
  titleOf,
} from '../../../../packages/console/src/schema/fields.js';
import { type FormNode, formOf } from '../../../../packages/console/src/schema/form.js';
import { shared } from '../../../support/shared.js';

const refTo = (name: string): OpenApiSchema => ({ $ref: `#/components/schemas/${name}` });

const schemas: Record<string, OpenApiSchema> = {
  Tree: {
    type: 'object',
    description: 'A tree.',
    properties: { name: { type: 'string' }, twigs: { type: 'array', items: refTo('Tree') } },
  },
  Loop: { allOf: [refTo('Loop')] },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { oneOf: [{ type: 'string' }, { type: 'number' }] },
};

const form = (schema: OpenApiSchema): FormNode => formOf({ schema, schemas });
const all = { filter: '', onlySet: false, first: new Set<string>() };
const names = (node: FormNode, value: unknown, shown = {}): string[] =>
  fieldsOf(node, value, { ...all, ...shown }).map(({ name }) => name);

describe('formOf', () => {
  it.each<[FormNode['kind'], OpenApiSchema]>([
    ['string', { type: 'string' }],
    ['choice', { type: 'string', enum: ['a', 'b'] }],
    ['date', { type: 'string', format: 'date-time' }],
    ['bytes', { type: 'string', format: 'byte' }],
    ['number', { type: 'integer', format: 'int64' }],
    ['number', { type: 'number' }],
    ['boolean', { type: 'boolean' }],
    ['int-or-string', { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }],
    ['int-or-string', { type: 'string', format: 'int-or-string' }],
    ['quantity', refTo('io.k8s.apimachinery.pkg.api.resource.Quantity')],
    ['quantity', { default: {}, allOf: [refTo('io.k8s.apimachinery.pkg.api.resource.Quantity')] }],
    ['object', { type: 'object', properties: { a: {} } }],
    ['object', refTo('Tree')],
    ['map', { type: 'object', additionalProperties: { type: 'string' } }],
    ['list', { type: 'array', items: { type: 'string' } }],
    ['free', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
    ['free', { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: {} } }],
    ['free', {}],
    ['free', refTo('Loop')],
    ['free', refTo('Missing')],
  ])('edits as %s the schema %j', (kind, schema) => {
    expect(form(schema).kind).toBe(kind);
  });

  it('opens a type that refers to itself, one level at a time', () => {
    let node: FormNode | undefined = form(refTo('Tree'));
    for (let depth = 0; depth < 200; depth++) node = node?.fields.get('twigs')?.node.items;
    expect(node?.schema.description).toBe('A tree.');
  });

  it('reads the keys of a list and the groups of a union', () => {
    const list = form({
      type: 'array',
      items: {},
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a', 'b'],
    });
    expect([list.list, list.keys]).toEqual(['map', ['a', 'b']]);
    const union = form({
      type: 'object',
      properties: { a: {}, b: {} },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    });
    expect(union.groups).toEqual([['a'], ['b']]);
    expect(form({ type: 'object', properties: { a: {} }, oneOf: [{ required: ['a'] }] }).groups).toEqual([]);
    expect(form({ type: 'object', properties: { a: {} }, oneOf: [{ required: ['a'] }, {}] }).groups).toEqual([]);
  });

  it('resolves none of 3,000 fields before they are opened, and few for a search', () => {
    let resolved = 0;
    const counted = new Proxy(schemas, {
      get(target, name) {
        resolved++;
        return typeof name === 'string' ? target[name] : undefined;
      },
    });
    const properties = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`field${i}`, refTo('Tree')]));
    const node = formOf({ schema: { type: 'object', properties }, schemas: counted });
    expect(fieldsOf(node, { field7: {} }, { ...all, first: new Set(['field7']) })[0]?.name).toBe('field7');
    expect(resolved).toBe(0);
    expect(fieldsOf(node, {}, { ...all, filter: 'no field has this name' })).toEqual([]);
    expect(resolved).toBeLessThan(5000);
  });
});

describe('fieldsOf', () => {
  const node = form({
    type: 'object',
    required: ['c'],
    properties: { a: { type: 'string' }, b: refTo('Tree'), c: { type: 'string' } },
  });

  it('lists required fields, then set ones, then others, then unknown ones', () => {
    expect(names(node, { x: 1, b: {} }, { first: new Set(['b', 'x']) })).toEqual(['c', 'b', 'a', 'x']);
  });

  it('lists only fields that are set', () => {
    expect(names(node, { x: 1, b: {} }, { onlySet: true })).toEqual(['b', 'x']);
  });

  it('finds fields by their name, and the fields around a field with that name', () => {
    expect(names(node, undefined, { filter: 'TWIG' })).toEqual(['b']);
    expect(names(node, { x: { deep: [{ needle: 1 }] } }, { filter: 'needle' })).toEqual([]);
    expect(names(node, { needle: 1 }, { filter: 'needle' })).toEqual(['needle']);
    expect(names(form(refTo('Tree')), undefined, { filter: 'nothing' })).toEqual([]);
  });
});

describe('isFixed', () => {
  const plain = form({ type: 'string' });
  it.each<[(string | number)[], boolean, boolean]>([
    [['kind'], true, true],
    [['status', 'phase'], true, true],
    [['metadata', 'uid'], true, true],
    [['metadata', 'managedFields', 0, 'manager'], true, true],
    [['metadata', 'name'], true, false],
    [['metadata', 'labels', 'name'], false, false],
    [['spec', 'status'], false, false],
  ])('returns whether users can change %j', (place, edited, created) => {
    expect([isFixed(place, 'edit', plain), isFixed(place, 'create', plain)]).toEqual([edited, created]);
  });
});

describe('kindFor', () => {
  it('edits a value of another type as YAML', () => {
    expect(kindFor(form(refTo('Tree')), [])).toBe('free');
    expect(kindFor(form({ type: 'string' }), { a: 1 })).toBe('free');
    expect(kindFor(form({ type: 'boolean' }), 'yes')).toBe('free');
    expect(kindFor(form({ type: 'string' }), 3)).toBe('string');
    expect(kindFor(form({ type: 'array', items: {} }), null)).toBe('list');
  });
});

describe('titleOf', () => {
  it('names an item by its keys, or by a field that usually has a name', () => {
    const keyed = form({
      type: 'array',
      items: {},
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
    });
    expect(titleOf({ port: 80, protocol: 'TCP', name: 'x' }, keyed)).toBe('80 · TCP');
    expect(titleOf({ name: 'x', type: 'y' }, form({ type: 'array' }))).toBe('x');
    expect(titleOf('text', form({ type: 'array' }))).toBe('');
  });
});

const definitions = shared('crds/definitions');

describe.skipIf(!existsSync(definitions))('definitions of other projects', () => {
  const files = existsSync(definitions)
    ? readdirSync(definitions, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'))
    : [];

  it('opens every schema, and gives each field an editor and a first value', () => {
    let opened = 0;
    for (const file of files) {
      for (const schema of schemasIn(load(readFileSync(join(definitions, file), 'utf8')))) {
        const open = (node: FormNode, depth: number): void => {
          opened++;
          newValue(node);
          expect(node.kind === 'object' ? node.fields.size : 0, file).toBe(
            Object.keys(node.kind === 'object' ? (node.schema.properties ?? {}) : {}).length,
          );
          if (depth > 4) return;
          for (const field of node.fields.values()) open(field.node, depth + 1);
          if (node.items) open(node.items, depth + 1);
        };
        const node = form(schema);
        open(node, 0);
        // A search ends, although the schema has tens of thousands of fields.
        expect(names(node, {}, { filter: 'no field has this name' }), file).toEqual([]);
      }
    }
    expect(opened).toBeGreaterThan(files.length * 10);
  });
});

function schemasIn(definition: unknown): OpenApiSchema[] {
  const { spec }: { spec: { versions: { schema: { openAPIV3Schema: OpenApiSchema } }[] } } = JSON.parse(
    JSON.stringify(definition),
  );
  return spec.versions.map(({ schema }) => schema.openAPIV3Schema);
}

describe('choices', () => {
  const choices = (schema: OpenApiSchema): readonly unknown[] | undefined => choicesOf(formOf({ schema, schemas: {} }));

  it('are the values of an enumeration or a boolean, with null if the field can be null', () => {
    expect(choices({ type: 'string', enum: ['a', 'b'] })).toEqual(['a', 'b']);
    expect(choices({ type: 'boolean' })).toEqual([true, false]);
    expect(choices({ type: 'boolean', nullable: true })).toEqual([true, false, null]);
    expect(choices({ type: 'string', nullable: true })).toBeUndefined();
  });

  it('are all shown if they are few and short', () => {
    expect(areFew(['Always', 'IfNotPresent', 'Never'])).toBe(true);
    expect(areFew([1, 2, 3, 4, 5])).toBe(false);
    expect(areFew(['a long name of something', 'another long name'])).toBe(false);
  });
});
