/** The proto emitter prints files that a parser reads, with the numbers of the lock. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { protoEmitter } from '../../../../generator/emit/proto.js';
import { type ProtobufLock, readLock } from '../../../../generator/lock/lock.js';
import { readLockFile } from '../../../../generator/lock/lock-store.js';
import type { Model, ResourceModel } from '../../../../generator/model/model.js';
import type { Schema } from '../../../../runtime/contract/index.js';
import { builtInDefinitions } from '../../../support/built-in-definitions.js';
import { root } from '../../../support/shared.js';
import type { ProtoFile } from '../lock/proto-parser.js';
import { emit, numbered, parse } from './proto-files.js';

function modelOf(properties: Record<string, Schema>, decoding: 'typed' | 'structural' = 'structural'): Model {
  const resource: ResourceModel = {
    group: 'example-one.com',
    names: {
      plural: 'widgets',
      singular: 'widget',
      kind: 'Widget',
      listKind: 'WidgetList',
      shortNames: [],
      categories: [],
    },
    scope: 'Namespaced',
    decoding,
    verbs: ['get', 'list', 'create'],
    nameRule: { format: 'dns-1123-subdomain' },
    generation: 'counted',
    deleteReturns: 'Status',
    createOnUpdate: false,
    unconditionalUpdate: true,
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { type: 'object', description: 'A widget.\n\nNot printed.', properties },
        subresources: [],
        columns: [],
        selectableFields: [],
      },
    ],
    source: { path: 'widgets.yaml', hash: '' },
  };
  return { resources: [resource], types: new Map() };
}

const widgets = (properties: Record<string, Schema>, lock?: ProtobufLock): ProtoFile | undefined =>
  parse(emit(numbered(modelOf(properties), lock))).get('example-one.com/v1.proto');

describe('the proto emitter', () => {
  it('prints kinds, lists and parts', () => {
    const file = widgets({
      spec: {
        type: 'object',
        properties: { size: { type: 'integer' }, open: { 'x-kubernetes-preserve-unknown-fields': true } },
      },
    });
    expect(file?.package).toBe('com.example_one.v1');
    expect(file?.imports).toEqual(['meta/v1.proto']);
    expect(file?.messages).toEqual({
      Widget: {
        metadata: { label: 'optional', type: '.meta.v1.ObjectMeta', number: 1 },
        spec: { label: 'optional', type: '.com.example_one.v1.WidgetSpec', number: 2 },
        kindforge_rest: { label: 'optional', type: 'bytes', number: 536870911 },
      },
      WidgetList: {
        metadata: { label: 'optional', type: '.meta.v1.ListMeta', number: 1 },
        items: { label: 'repeated', type: '.com.example_one.v1.Widget', number: 2 },
      },
      WidgetSpec: {
        size: { label: 'optional', type: 'int64', number: 1 },
        open: { label: 'optional', type: 'bytes', number: 2 },
        kindforge_rest: { label: 'optional', type: 'bytes', number: 536870911 },
      },
    });
  });

  it('marks fields that hold JSON, and describes fields by the first paragraph', () => {
    const files = emit(
      numbered(modelOf({ open: { 'x-kubernetes-preserve-unknown-fields': true, description: 'Open.' } })),
    );
    const text = files.get('proto/example-one.com/v1.proto');
    expect(text).toContain('  // Open. Bytes that hold JSON.\n  optional bytes open = 2;');
    expect(text).toContain('// A widget.\nmessage Widget {');
    expect(text).not.toContain('Not printed');
  });

  it('gives unique names that protobuf allows, and keeps the JSON names', () => {
    const objectOf = (field: string): Schema => ({ type: 'object', properties: { [field]: { type: 'string' } } });
    const file = widgets({
      'x-y': { type: 'string' },
      x_y: { type: 'string' },
      $ref: { type: 'string' },
      'ünï"\\': { type: 'string' },
      list: objectOf('a'),
      fooBar: objectOf('b'),
      'foo-bar': objectOf('c'),
    });
    expect(file?.messages.Widget).toMatchObject({
      x_y: { jsonName: 'x-y' },
      x_y_2: { jsonName: 'x_y' },
      x_ref: { jsonName: '$ref' },
      x_n___: { jsonName: '\\303\\274n\\303\\257\\"\\\\' },
    });
    expect(Object.keys(file?.messages ?? {}).sort()).toEqual([
      'Widget',
      'WidgetFooBar',
      'WidgetFooBar_2',
      'WidgetList',
      'WidgetList_2',
    ]);
  });

  it('reserves removed numbers and names', () => {
    const before = numbered(modelOf({ a: { type: 'string' }, b: { type: 'string' } })).protobuf;
    const file = widgets({ b: { type: 'string' } }, before);
    expect(file?.reserved).toEqual({ Widget: [2] });
    expect(file?.messages.Widget?.b?.number).toBe(3);
  });

  it('has no file for a version that is neither served nor stored', () => {
    const { resources, types } = modelOf({ size: { type: 'string' } });
    const withOld = (served: boolean): Model => ({
      types,
      resources: resources.map((resource) => ({
        ...resource,
        versions: resource.versions.flatMap((each) => [each, { ...each, name: 'v0', served, storage: false }]),
      })),
    });
    const old = 'proto/example-one.com/v0.proto';
    expect(emit(numbered(withOld(true))).has(old)).toBe(true);
    expect(emit(numbered(withOld(false))).has(old)).toBe(false);
  });

  it('emits nothing without numbers', () => {
    expect(emit(modelOf({})).size).toBe(0);
  });

  it('has the same key for a file while nothing changes, and another key for other numbers', () => {
    const keyOf = (model: Model): string | undefined => protoEmitter.emitModel?.(model)[0]?.key;
    const model = numbered(modelOf({ a: { type: 'string' } }));
    expect(keyOf(numbered(modelOf({ a: { type: 'string' } })))).toBe(keyOf(model));
    expect(keyOf(numbered(modelOf({ a: { type: 'string' }, b: { type: 'string' } })))).not.toBe(keyOf(model));
    const widened = readLock('{"messages":{"example-one.com/v1#/Widget":{"fields":{"a":[7,"string"]}}}}').lock;
    expect(keyOf({ ...model, protobuf: widened })).not.toBe(keyOf(model));
  });

  it("prints the project's own kinds", () => {
    const model = { ...builtInDefinitions().model, protobuf: readLockFile(join(root, 'schemas')).lock };
    const files = parse(emit(model));
    expect(files.get('storage/v1.proto')?.messages.CSIDriverSpec?.fsGroupPolicy?.number).toBe(5);
    expect(files.get('core/v1.proto')?.messages.EventList).toBeDefined();
    expect(files.get('meta/v1.proto')?.messages.ObjectMeta?.managedFields?.number).toBe(17);
  });
});
