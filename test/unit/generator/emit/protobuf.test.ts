/** Schema files have the facts that the protobuf codec needs: shared types once, and only for typed kinds. */
import { describe, expect, it } from 'vitest';
import { modulesOf } from '../../../../generator/emit/modules.js';
import { protobufParts } from '../../../../generator/emit/protobuf.js';
import type { ProtobufSchema, ResourceModule } from '../../../../runtime/contract/index.js';
import { customResource, emit, modelOf, nativeResource, run, typeErrors, typeLibrary } from './emitting.js';
import { numbered } from './proto-files.js';

const part = { $ref: 'shop/v1#/Part' };
const model = numbered(
  modelOf(
    nativeResource('Gadget', 'things.org', {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          'x-kindforge-presence': 'always',
          properties: {
            name: { type: 'string', 'x-kindforge-presence': 'implicit' },
            size: { type: 'integer' },
            secret: { type: 'string', format: 'byte', 'x-kindforge-presence': 'always' },
            parts: { type: 'array', items: part, 'x-kindforge-presence': 'implicit' },
          },
        },
      },
    }),
    nativeResource('Gizmo', 'things.org', { type: 'object', properties: { part } }),
    customResource({ kind: 'Widget', spec: { type: 'object', properties: { size: { type: 'integer' } } } }),
    typeLibrary('shop/v1', {
      Part: { type: 'object', properties: { inner: { type: 'object', properties: { depth: { type: 'integer' } } } } },
      Unused: { type: 'object' },
    }),
  ),
);
const files = emit(model);
const schemaOf = (plural: string): ProtobufSchema =>
  run(files, `things.org/v1/${plural}/schema.ts`).protobuf as ProtobufSchema;

describe('the schema of a kind', () => {
  it('has the numbers of its own messages, and marks the fields that are always written', () => {
    const { message, messages } = schemaOf('gadgets');
    expect(message).toBe('things.org/v1#/Gadget');
    expect(messages).toEqual({
      'things.org/v1#/Gadget': {
        metadata: [1, 'meta/v1#/ObjectMeta', 'always'],
        spec: [2, 'things.org/v1#/Gadget.spec', 'always'],
      },
      'things.org/v1#/Gadget.spec': {
        name: [1, 'string', 'always'],
        size: [2, 'int64'],
        secret: [3, 'bytes'],
        parts: [4, 'repeated shop/v1#/Part'],
      },
    });
  });

  it('shares the messages of libraries with other kinds', () => {
    const library = run(files, 'types/shop/v1/schema.ts').messages;
    expect(library).toEqual({
      'shop/v1#/Part': { inner: [1, 'shop/v1#/Part.inner'] },
      'shop/v1#/Part.inner': { depth: [1, 'int64'] },
    });
    expect(schemaOf('gadgets').libraries).toEqual([library]);
    expect(schemaOf('gizmos').libraries).toEqual([library]);
    expect(Object.keys(schemaOf('gizmos').messages)).toEqual(['things.org/v1#/Gizmo']);
  });

  it('equals the schema of modules made at run time', async () => {
    const { registry } = run(files, 'registry.ts') as { registry: readonly ResourceModule[] };
    const all = async ({ code }: ResourceModule): Promise<object | undefined> => {
      const { protobuf } = await code();
      return protobuf && [protobuf.message, Object.assign({}, protobuf.messages, ...(protobuf.libraries ?? []))];
    };
    const printed = await Promise.all(registry.map(all));
    expect(await Promise.all(modulesOf(model).map(all))).toEqual(printed);
    expect(printed.map((protobuf) => protobuf !== undefined)).toEqual([false, true, true]);
  });

  it('type-checks', () => {
    const sources = new Map([...files].filter(([path]) => path.endsWith('.ts')));
    expect(typeErrors(sources, true)).toEqual([]);
  });
});

describe('a schema file', () => {
  it('has no protobuf for custom resources, and none at all without numbers', () => {
    const numberedFiles = [...files.keys()].filter((path) => files.get(path)?.includes('Protobuf'));
    expect(numberedFiles).toEqual([
      'things.org/v1/gadgets/schema.ts',
      'things.org/v1/gizmos/schema.ts',
      'types/shop/v1/schema.ts',
    ]);
    const { protobuf: _, ...unnumbered } = model;
    expect(emit(unnumbered).get('things.org/v1/gizmos/schema.ts')).not.toContain('rotobuf');
  });

  it('keeps the names of its constants apart from names of fields', () => {
    const text = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } };
    const fields = { protobuf: text, messages: { ...text }, schema: { ...text }, messagesOfShopV1: { ...text } };
    const odd = numbered(
      modelOf(
        nativeResource('Odd', 'things.org', { type: 'object', properties: { ...fields, part } }),
        typeLibrary('shop/v1', { Part: { type: 'object', properties: { messages: text, other: { ...text } } } }),
      ),
    );
    expect(typeErrors(new Map([...emit(odd)].filter(([path]) => path.endsWith('.ts'))), true)).toEqual([]);
  });

  it('has another key exactly if it has other messages', () => {
    const [, gadget, gizmo] = model.resources;
    const lock = new Map(model.protobuf);
    lock.set('things.org/v1#/Gizmo', { fields: new Map([['part', [7, 'shop/v1#/Part']]]), reserved: [] });
    const [before, after] = [model, { ...model, protobuf: lock }].map(protobufParts);
    const keys = (parts: typeof before) => [
      gadget && parts?.keyOfResource(gadget),
      gizmo && parts?.keyOfResource(gizmo),
      parts?.keyOfLibrary('shop/v1'),
    ];
    expect(keys(after).map((key, index) => key === keys(before)[index])).toEqual([true, false, true]);
  });
});
