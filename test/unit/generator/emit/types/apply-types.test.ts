/**
 * Apply configurations state parts: only fields that identify list items are required, and the server's fields are
 * absent.
 */
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../../../runtime/contract/index.js';
import { customResource, emit, modelOf, typeErrors } from '../emitting.js';

const port: Schema = {
  type: 'object',
  required: ['name', 'number'],
  properties: { name: { type: 'string' }, number: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } },
};

const spec: Schema = {
  type: 'object',
  required: ['size', 'owner', 'ports', 'rules'],
  properties: {
    size: { type: 'integer' },
    owner: {
      type: 'object',
      required: ['name', 'kind'],
      properties: { name: { type: 'string' }, kind: { type: 'string' } },
    },
    whole: {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      required: ['a'],
      properties: { a: { type: 'string' }, b: { type: 'string' } },
    },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'protocol'],
      items: port,
    },
    rules: { type: 'array', items: { type: 'object', required: ['verb'], properties: { verb: { type: 'string' } } } },
  },
};

const status: Schema = { type: 'object', properties: { phase: { type: 'string' } } };

const definition = customResource({
  kind: 'Widget',
  schema: { type: 'object', required: ['spec'], properties: { spec, status } },
  subresources: { status: {} },
});

const use = (statements: string): readonly string[] => {
  const files = new Map(emit(modelOf(definition)));
  const start = "import type { WidgetApplyConfiguration } from './example.com/v1/index.js';\n";
  const envelope = "apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }";
  files.set('use.ts', `${start}export const use: WidgetApplyConfiguration = { ${envelope}, ${statements} };\n`);
  return typeErrors(files).filter((error) => error.startsWith('use.ts'));
};

describe('an apply configuration', () => {
  it.each([
    ['nothing of the spec', 'spec: {}'],
    ['a part of a granular object', "spec: { owner: { name: 'x' } }"],
    ['a part of a keyed item with its keys', "spec: { ports: [{ name: 'a' }] }"],
    ['a whole atomic object and list', "spec: { whole: { a: 'x' }, rules: [{ verb: 'get' }] }"],
  ])('may have %s', (_, statements) => expect(use(statements)).toEqual([]));

  it.each([
    ['a keyed item without its key', 'spec: { ports: [{ number: 1 }] }', "'name' is missing"],
    ['a part of an atomic object', "spec: { whole: { b: 'x' } }", "'a' is missing"],
    ['a part of an item of an atomic list', 'spec: { rules: [{}] }', "'verb' is missing"],
    ['the status, which has a path of its own', "status: { phase: 'x' }", "'status' does not exist"],
    ['an unknown field', 'spec: { sizes: 1 }', "'sizes' does not exist"],
  ])('may not have %s', (_, statements, error) => {
    const errors = use(statements);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(error);
  });

  it('may not have fields that the server owns', () => {
    expect(use("metadata: { name: 'a', resourceVersion: '1' }").join()).toContain("'resourceVersion' are incompatible");
    expect(use("metadata: { name: 'a', uid: '1' }").join()).toContain("'uid' are incompatible");
  });
});

describe('an apply configuration of the status', () => {
  const below = customResource({
    kind: 'Widget',
    schema: {
      type: 'object',
      properties: {
        status: {
          type: 'object',
          properties: { parts: { type: 'object', properties: { ports: spec.properties?.ports ?? {} } } },
        },
      },
    },
    subresources: { status: {} },
  });
  const errorsOf = (status: string): readonly string[] => {
    const files = new Map(emit(modelOf(below)));
    const start = "import type { WidgetStatusApplyConfiguration } from './example.com/v1/index.js';\n";
    files.set('use.ts', `${start}export const use: WidgetStatusApplyConfiguration = ${status};\n`);
    return typeErrors(files).filter((error) => error.startsWith('use.ts'));
  };

  it('may have parts of objects below it, and no unknown fields of these', () => {
    expect(errorsOf("{ parts: { ports: [{ name: 'a' }] } }")).toEqual([]);
    expect(errorsOf("{ parts: { ports: [{ name: 'a', size: 1 }] } }").join()).toContain("'size' does not exist");
  });
});
