/** The protobuf emitter prints what the runtime's codec needs, shared types once, and only for typed kinds. */
import { describe, expect, it } from 'vitest';
import { protobufEmitter } from '../../../../../generator/emit/protobuf/protobuf.js';
import { emptyLock, numberFields } from '../../../../../generator/lock/lock.js';
import { planModel } from '../../../../../generator/lock/plan-model.js';
import type { Model } from '../../../../../generator/model/model.js';
import { modulesOf } from '../../../../../generator/modules/modules.js';
import type { ProtobufSchema, ResourceModule } from '../../../../../runtime/contract/index.js';
import { customResource, emit, modelOf, nativeResource, run, typeErrors, typeLibrary } from '../emitting.js';

const numbered = (model: Model): Model => {
  const messages = planModel(model).flatMap((version) => version.messages);
  return { ...model, protobuf: numberFields(emptyLock, messages).lock };
};

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
  run(files, `things.org/v1/${plural}/protobuf.ts`).protobuf as ProtobufSchema;

describe('the schema of a kind', () => {
  it('has the numbers of its own messages, and says what is always there', () => {
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
    const library = run(files, 'types/shop/v1/protobuf.ts').messages;
    expect(library).toEqual({
      'shop/v1#/Part': { inner: [1, 'shop/v1#/Part.inner'] },
      'shop/v1#/Part.inner': { depth: [1, 'int64'] },
    });
    expect(schemaOf('gadgets').libraries).toEqual([library]);
    expect(schemaOf('gizmos').libraries).toEqual([library]);
    expect(Object.keys(schemaOf('gizmos').messages)).toEqual(['things.org/v1#/Gizmo']);
  });

  it('is what modules made at run time have', async () => {
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

describe('the emitter', () => {
  it('prints nothing of custom resources, and nothing at all without numbers', () => {
    expect([...files.keys()].filter((path) => path.endsWith('/protobuf.ts'))).toEqual([
      'things.org/v1/gadgets/protobuf.ts',
      'things.org/v1/gizmos/protobuf.ts',
      'types/shop/v1/protobuf.ts',
    ]);
    const { protobuf: _, ...unnumbered } = model;
    expect(protobufEmitter.emitModel?.(unnumbered)).toEqual([]);
    expect(emit(unnumbered).get('things.org/v1/gizmos/code.ts')).not.toContain('protobuf');
  });

  it('has new keys only for what has other messages', () => {
    const before = protobufEmitter.emitModel?.(model) ?? [];
    const lock = new Map(model.protobuf);
    lock.set('things.org/v1#/Gizmo', { fields: new Map([['part', [7, 'shop/v1#/Part']]]), reserved: [] });
    const after = protobufEmitter.emitModel?.({ ...model, protobuf: lock }) ?? [];
    expect(after.map(({ key }, index) => key === before[index]?.key)).toEqual([true, false, true]);
    expect(after[1]?.content).toContain('part: [7,');
  });
});
