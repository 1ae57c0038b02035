/** Modules made from definitions at run time equal the modules that the generator prints. */
import { describe, expect, it } from 'vitest';
import { modulesOf } from '../../../../generator/emit/modules.js';
import type { FieldError, JsonObject, ResourceModule } from '../../../../runtime/contract/index.js';
import { schemaFunctions } from '../../../../runtime/schema/index.js';
import { customResource, emit, modelOf, nativeResource, run } from './emitting.js';

const spec = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1 },
    color: { type: 'string', enum: ['green', 'red'], default: 'green' },
    parts: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    },
  },
} as const;

const model = modelOf(
  customResource({ kind: 'Widget', spec, versions: ['v1', 'v2'], subresources: { status: {} } }),
  nativeResource('Gadget', 'things.org', {
    type: 'object',
    properties: { spec: { ...spec, 'x-kindforge-immutable': true } },
  }),
);
const modules = modulesOf(model);
const { registry } = run(emit(model), 'registry.ts') as { registry: readonly ResourceModule[] };

const at = (list: readonly ResourceModule[], index: number): ResourceModule => {
  const module = list[index];
  if (module === undefined) throw new Error(`no module ${index}`);
  return module;
};

/** Returns the result of a module: the object afterwards, and all findings. */
const outcome = async (module: ResourceModule, object: JsonObject): Promise<unknown> => {
  const { decoding, names, version } = module;
  const functions = schemaFunctions((await module.code()).schema, { decoding, kind: names.kind, version });
  const errors: FieldError[] = [];
  const unknown: string[] = [];
  const mismatch = functions.normalize?.(object);
  functions.prune(object, (path) => unknown.push(path));
  functions.applyDefaults(object);
  functions.validate(object, errors);
  functions.validateUpdate?.(object, { ...object, spec: { size: 1 } }, errors);
  return { mismatch, unknown, object, errors };
};

const objects: readonly JsonObject[] = [
  { spec: { size: 1 } },
  { spec: { size: 0, color: 'blue', parts: [{ name: 'a' }, { name: 'a', extra: true }] } },
  { spec: { size: 'large', parts: {} }, other: 1 },
  { spec: null },
];

describe('modules at run time', () => {
  it('are as many as the registry has, in its order', () => {
    const nameOf = ({ group, version, names }: ResourceModule): string => `${group}/${version}/${names.plural}`;
    expect(modules.map(nameOf)).toEqual(registry.map(nameOf));
    expect(modules.map(nameOf)).toEqual(['example.com/v1/widgets', 'example.com/v2/widgets', 'things.org/v1/gadgets']);
  });

  it('repeat the definition', () => {
    expect(at(modules, 1)).toMatchObject({
      group: 'example.com',
      version: 'v2',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      scope: 'Namespaced',
      decoding: 'structural',
      storage: false,
      served: true,
      createOnUpdate: false,
      deleteReturns: 'Status',
      generation: 'counted',
      subresources: [{ name: 'status' }],
      source: '000.yaml',
    });
    expect(at(modules, 2).decoding).toBe('typed');
  });

  it.each([0, 1, 2])('equal the generated module of resource %i', async (index) => {
    const { code: ours, ...described } = at(modules, index);
    const { code: theirs, ...printed } = at(registry, index);
    expect(described).toEqual(printed);
    expect(await ours()).toEqual({ ...(await theirs()) });
  });

  it.each(objects.map((object) => [JSON.stringify(object), object] as const))(
    'make of %s the same',
    async (_, object) => {
      for (const [index, module] of modules.entries()) {
        const expected = await outcome(at(registry, index), structuredClone(object));
        expect(await outcome(module, structuredClone(object))).toEqual(expected);
      }
    },
  );

  it('find mistakes', async () => {
    expect(JSON.stringify(await outcome(at(modules, 0), structuredClone(objects[1] ?? {})))).toContain(
      'spec.size in body should be greater than or equal to 1',
    );
  });

  it('compile their code once', () => {
    const [module] = modulesOf(model);
    expect(module?.code()).toBe(module?.code());
  });
});
