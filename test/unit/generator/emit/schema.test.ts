/** Emitted schemas equal the schemas of the definitions, with repeated parts and shared types written once. */
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../../runtime/contract/index.js';
import { customResource, emit, emitted, modelOf, nativeResource, run, typeErrors, typeLibrary } from './emitting.js';

const text = (description: string): Schema => ({ type: 'string', description });

const container: Schema = {
  type: 'object',
  required: ['image'],
  properties: {
    image: text('What runs in the container, by name or by digest; long enough to be worth a constant of its own.'),
    command: { type: 'array', items: { type: 'string' }, description: 'What is run in place of what the image says.' },
  },
};

describe('the schema of a resource', () => {
  const spec: Schema = {
    type: 'object',
    properties: {
      main: { ...container, description: 'The one that matters.' },
      others: { type: 'array', items: container },
      byName: { type: 'object', additionalProperties: { ...container, description: 'By its name.' } },
      limit: { type: 'integer', maximum: 5, default: 3, enum: [1, 3, 5] },
      "it's": { type: 'string', pattern: '^"\\n$' },
    },
  };
  const model = modelOf(customResource({ kind: 'Widget', spec }));
  const path = 'example.com/v1/widgets/schema.ts';

  it('evaluates to the schema of the definition', () => {
    const { schema } = run(emit(model), path);
    expect(schema).toEqual(model.resources[0]?.versions[0]?.schema);
  });

  it('has repeated parts once, under a name, with the description of each field', () => {
    const content = emitted(model, path);
    expect(content.match(/What runs in the container/g)).toHaveLength(1);
    expect(content).toContain('const main: Schema = {');
    expect(content).toContain("main: { ...main, description: 'The one that matters.' }");
    expect(content).toContain('items: main');
    expect(content).toContain("additionalProperties: { ...main, description: 'By its name.' }");
  });
});

it('a schema that versions share is printed for the first of these', () => {
  const model = modelOf(customResource({ kind: 'Widget', spec: container, versions: ['v2', 'v1'] }));
  const files = emit(model);
  expect(files.get('example.com/v1/widgets/schema.ts')).toContain(
    "export { schema } from '../../v2/widgets/schema.js';",
  );
  expect(typeErrors(files)).toEqual([]);
});

it('parts with different descriptions of a field are printed twice', () => {
  const command: Schema = { type: 'array', items: { type: 'string' }, description: 'Other words for the command.' };
  const other: Schema = { ...container, properties: { ...container.properties, command } };
  const spec: Schema = { type: 'object', properties: { a: container, b: container, c: other, d: other } };
  const model = modelOf(customResource({ kind: 'Widget', spec }));
  const { schema } = run(emit(model), 'example.com/v1/widgets/schema.ts');
  expect(schema).toEqual(model.resources[0]?.versions[0]?.schema);
});

describe('the schemas of libraries', () => {
  const model = modelOf(
    typeLibrary('a/v1', {
      Second: { type: 'object', properties: { first: { $ref: 'a/v1#/Zeta', description: 'Another.' } } },
      Zeta: {
        type: 'object',
        required: ['size'],
        properties: { size: { type: 'integer' }, back: { $ref: 'b/v1#/Leaf' } },
      },
      Alias: { $ref: 'b/v1#/Leaf', description: 'By another name.' },
    }),
    typeLibrary('b/v1', {
      Leaf: { type: 'string', description: 'A leaf.', maxLength: 9 },
      Tree: { type: 'object', properties: { second: { $ref: 'a/v1#/Second' }, leaf: { $ref: 'b/v1#/Leaf' } } },
    }),
    nativeResource('Widget', 'example.com', {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            tree: { $ref: 'b/v1#/Tree' },
            leaf: { $ref: 'b/v1#/Leaf', description: 'Mine.', default: 'green' },
            alias: { $ref: 'a/v1#/Alias' },
          },
        },
      },
    }),
  );
  const files = emit(model);

  it('run whatever library refers to whatever other, and equal the schemas of the model', () => {
    const { schema } = run(files, 'example.com/v1/widgets/schema.ts');
    expect(schema).toEqual(model.resources[0]?.versions[0]?.schema);
  });

  it('are referred to, with the descriptions that differ', () => {
    const content = files.get('example.com/v1/widgets/schema.ts');
    expect(content).toContain("import { leaf, tree } from '../../../types/b/v1/schema.js';");
    expect(content).toContain('tree,');
    expect(content).toMatch(/leaf: \{\s*\.\.\.leaf,\s*description: 'Mine\.',/);
    expect(content).not.toContain('maxLength');
  });

  it('are ordered by their references', () => {
    const content = files.get('types/a/v1/schema.ts') ?? '';
    expect(content.indexOf('export const zeta')).toBeGreaterThan(0);
    expect(content.indexOf('export const zeta')).toBeLessThan(content.indexOf('export const second'));
  });

  it('do not import each other in a circle', () => {
    const imports = (path: string, of: string): boolean => (files.get(path) ?? '').includes(`${of}/v1/schema.js`);
    expect(imports('types/a/v1/schema.ts', 'b') && imports('types/b/v1/schema.ts', 'a')).toBe(false);
  });

  it('import their types, and do not repeat these', () => {
    const types = files.get('example.com/v1/widgets/types.ts');
    expect(types).toContain("import type { Leaf, Tree, TreeApplyConfiguration } from '../../../types/b/v1/types.js';");
    expect(types).toContain('leaf?: Leaf;');
    expect(files.get('types/a/v1/types.ts')).toContain('export type Alias = Leaf;');
    expect(files.get('types/a/v1/types.ts')).toContain('export interface Second {');
  });

  it('type-check', () => {
    expect(typeErrors(files)).toEqual([]);
  });
});

it('shapes of libraries name the type of a mistake', () => {
  const inner = { type: 'object', properties: { size: { type: 'integer' } } };
  const object = (properties: object): object => ({ type: 'object', properties });
  const model = modelOf(typeLibrary('a/v1', { Alpha: object({ deep: object({ inner }) }), Beta: object({ inner }) }));
  const types = emit(model).get('types/a/v1/types.ts');
  expect(types).toContain('/** `inner` of {@link Beta}. */\nexport interface BetaInner {');
  expect(types).toContain('inner?: BetaInner;');
});
