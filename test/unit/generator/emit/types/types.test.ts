/** The types of a definition are the types that a person would write by hand for it. */
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../../../runtime/contract/index.js';
import { customResource, type Definition, emit, emitted, modelOf, typeLibrary } from '../emitting.js';

const typesOf = (definition: Definition): string => {
  const plural = definition.plural ?? `${definition.kind.toLowerCase()}s`;
  return emitted(modelOf(customResource(definition)), `example.com/v1/${plural}/types.ts`);
};

/** Returns the members of a spec with these properties, without comments and indentation. */
const members = (properties: Record<string, Schema>, more: Partial<Schema> = {}): string[] => {
  const text = typesOf({ kind: 'Widget', spec: { type: 'object', properties, ...more } });
  const body = /export interface WidgetSpec \{\n([\s\S]*?)\n\}/.exec(text)?.[1] ?? '';
  return body.split('\n').map((line) => line.trim());
};

/** Returns the type of a spec with this one property. */
const typeOf = (schema: Schema): string => members({ field: schema })[0] ?? '';

const text: Schema = { type: 'string' };
const kept = (schema: Schema): Schema => ({ ...schema, 'x-kubernetes-preserve-unknown-fields': true });

it('hides no type that inherited members need', () => {
  const member: Schema = { type: 'string', enum: ['yes'] };
  const inner: Schema = { type: 'object', properties: { isPrototypeOf: member } };
  const written = typesOf({ kind: 'Object', schema: { type: 'object', properties: { '\\': inner } } });
  expect(written).toContain("isPrototypeOf?: 'yes' | Object['isPrototypeOf'];");
  expect(written).not.toMatch(/(interface|type) Object\b/);
});

describe('fields', () => {
  it.each<[string, Schema]>([
    ['field?: string;', text],
    ['field?: string | null;', { type: 'string', nullable: true }],
    ['field?: number;', { type: 'integer' }],
    ['field?: number;', { type: 'integer', format: 'int32' }],
    ['field?: number | bigint;', { type: 'integer', format: 'int64' }],
    ['field?: (number | bigint)[];', { type: 'array', items: { type: 'integer', format: 'int64' } }],
    ['field?: number;', { type: 'integer', format: 'int64', minimum: 0, maximum: 600 }],
    ['field?: number;', { type: 'number' }],
    ['field?: boolean;', { type: 'boolean' }],
    ["field?: 'a' | 'b';", { type: 'string', enum: ['a', 'b'] }],
    ["field?: 'a' | '' | null;", { type: 'string', enum: ['a', ''], nullable: true }],
    ['field?: 1 | 2;', { type: 'integer', enum: [1, 2] }],
    ['field?: 9007199254740993n | 5;', { type: 'integer', format: 'int64', enum: [9007199254740993n, 5] }],
    ['field?: -9223372036854775808n;', { type: 'integer', enum: [-9223372036854775808n] }],
    ['field?: 18446744073709552000;', { type: 'number', enum: [18446744073709551615n] }],
    ['field?: number | string;', { 'x-kubernetes-int-or-string': true }],
    ['field?: (number | string)[];', { type: 'array', items: { 'x-kubernetes-int-or-string': true } }],
    ['field?: unknown;', { 'x-kubernetes-preserve-unknown-fields': true }],
    ['field?: Record<string, unknown>;', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
    ['field?: Record<string, never>;', { type: 'object' }],
    ['field?: Record<string, unknown>[];', kept({ type: 'array', items: { type: 'object' } })],
    [
      'field?: Record<string, unknown>[][];',
      kept({ type: 'array', items: { type: 'array', items: { type: 'object' } } }),
    ],
    ['field?: string[];', kept({ type: 'array', items: text })],
    ['field?: Record<string, string>;', { type: 'object', additionalProperties: text }],
    ['field?: Record<string, string | null>;', { type: 'object', additionalProperties: { ...text, nullable: true } }],
    ['field?: string[];', { type: 'array', items: text }],
    ["field?: ('a' | 'b')[];", { type: 'array', items: { type: 'string', enum: ['a', 'b'] } }],
    ['field?: string[][];', { type: 'array', items: { type: 'array', items: text } }],
    ['field?: string;', { type: 'string', format: 'date-time' }],
  ])('%s', (type, schema) => {
    const lines = members({ field: schema });
    expect(lines.at(-1)).toBe(type);
  });

  it('are optional unless required, also with a default', () => {
    expect(members({ a: text, b: text }, { required: ['a'] })).toEqual(['a: string;', 'b?: string;']);
  });

  it('have quotes only if they need them', () => {
    expect(members({ plain: text, 'with-dash': text, $ref: text })).toEqual([
      'plain?: string;',
      "'with-dash'?: string;",
      '$ref?: string;',
    ]);
  });

  it('have an index signature if they keep unknown fields', () => {
    const spec: Schema = { type: 'object', properties: { a: text }, 'x-kubernetes-preserve-unknown-fields': true };
    expect(typesOf({ kind: 'Widget', spec })).toContain(
      'export interface WidgetSpec {\n  [key: string]: unknown;\n  a?: string;\n}',
    );
  });

  it('of items that keep unknown fields have an index signature, and objects inside these do not', () => {
    const item: Schema = { type: 'object', properties: { a: { type: 'object' } } };
    const types = typesOf({
      kind: 'Widget',
      spec: { type: 'object', properties: { open: kept({ type: 'array', items: item }), closed: item } },
    });
    expect(types).toContain(
      'export interface WidgetOpen {\n  [key: string]: unknown;\n  a?: Record<string, never>;\n}',
    );
    expect(types).toContain('export interface WidgetClosed {\n  a?: Record<string, never>;\n}');
  });

  it('with an embedded object have the fields of every object', () => {
    const embedded: Schema = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    };
    const types = typesOf({ kind: 'Widget', spec: { type: 'object', properties: { template: embedded } } });
    expect(types).toContain(
      'export interface WidgetTemplate {\n  [key: string]: unknown;\n  apiVersion: string;\n  kind: string;\n  metadata?: ObjectMeta;\n}',
    );
  });

  it('with long enums have a named union', () => {
    const values = Array.from({ length: 20 }, (_, index) => `value-${index}`);
    expect(typeOf({ type: 'array', items: { type: 'string', enum: values } })).toBe('field?: WidgetField[];');
    const types = typesOf({
      kind: 'Widget',
      spec: { type: 'object', properties: { fields: { type: 'array', items: { type: 'string', enum: values } } } },
    });
    expect(types).toContain("export type WidgetField =\n  | 'value-0'\n  | 'value-1'\n");
  });
});

describe('a kind', () => {
  it('has its object, its list and its apply configuration', () => {
    const spec: Schema = { type: 'object', description: 'What is wanted.', properties: { size: { type: 'integer' } } };
    const schema: Schema = { type: 'object', description: 'A widget.', required: ['spec'], properties: { spec } };
    expect(typesOf({ kind: 'Widget', schema })).toMatch(
      new RegExp(
        [
          "import type \\{ ApplyObjectMeta, ListMeta, ObjectMeta \\} from 'kindforge/client';",
          '',
          '/\\*\\* A widget. \\*/',
          'export interface Widget \\{',
          "  apiVersion: 'example.com/v1';",
          "  kind: 'Widget';",
          '  metadata: ObjectMeta;',
          '  /\\*\\* What is wanted. \\*/',
          '  spec: WidgetSpec;',
          '\\}',
          '',
          '/\\*\\* A list of \\{@link Widget\\}. \\*/',
          'export interface WidgetList \\{',
          "  apiVersion: 'example.com/v1';",
          "  kind: 'WidgetList';",
          '  metadata: ListMeta;',
          '  items: Widget\\[\\];',
          '\\}',
          '',
          '/\\*\\* What is wanted. \\*/',
          'export interface WidgetSpec \\{',
          '  size\\?: number;',
          '\\}',
        ].join('\n'),
      ),
    );
  });

  it('has a named spec even without fields', () => {
    const spec: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    expect(typesOf({ kind: 'Widget', spec })).toContain('export type WidgetSpec = Record<string, unknown>;');
  });

  it('does not hide a name of the language', () => {
    const types = typesOf({ kind: 'Function', spec: { type: 'object', properties: { a: text } } });
    expect(types).toContain('export interface FunctionResource {');
    expect(types).toContain("kind: 'Function';");
    expect(types).toContain('spec?: FunctionSpec;');
  });
});

describe('shapes', () => {
  const object = (properties: Record<string, Schema>, description?: string): Schema => ({
    type: 'object',
    properties,
    ...(description === undefined ? {} : { description }),
  });
  const list = (items: Schema): Schema => ({ type: 'array', items });

  it('are named by the end of their path, as long as necessary to be unique', () => {
    const spec = object({
      port: object({ number: { type: 'integer' } }),
      containers: list(object({ port: object({ name: text }), env: list(object({ value: text })) })),
    });
    const types = typesOf({ kind: 'Widget', spec });
    expect([...types.matchAll(/export interface (\w+)/g)].map((match) => match[1])).toEqual([
      'Widget',
      'WidgetList',
      'WidgetSpec',
      'WidgetPort',
      'WidgetContainer',
      'WidgetContainerPort',
      'WidgetEnv',
      'WidgetApplyConfiguration',
    ]);
    expect(types).toContain(
      '/** `spec.containers[].port` of {@link Widget}. */\nexport interface WidgetContainerPort {',
    );
  });

  it('that are equal share one name, from the words that their paths share', () => {
    const probe = object({ seconds: { type: 'integer', description: 'How long.' } });
    const types = typesOf({ kind: 'Widget', spec: object({ livenessProbe: probe, startupProbe: probe }) });
    expect(types).toContain('livenessProbe?: WidgetProbe;\n  startupProbe?: WidgetProbe;');
    expect(types.match(/export interface Widget\w*Probe/g)).toEqual(['export interface WidgetProbe']);
  });

  it('with different descriptions of their fields have two names', () => {
    const one = object({ seconds: { type: 'integer', description: 'How long.' } });
    const other = object({ seconds: { type: 'integer', description: 'How late.' } });
    const types = typesOf({ kind: 'Widget', spec: object({ first: one, second: other }) });
    expect(types).toContain('first?: WidgetFirst;\n  second?: WidgetSecond;');
  });

  it('without descriptions are the same type as equal shapes with descriptions', () => {
    const bare = object({ at: object({ seconds: { type: 'integer' } }) });
    const described = object({ at: object({ seconds: { type: 'integer', description: 'How long.' } }) });
    const types = typesOf({ kind: 'Widget', spec: object({ oneTimer: bare, otherTimer: described }) });
    expect(types).toContain('oneTimer?: WidgetTimer;\n  otherTimer?: WidgetTimer;');
    expect(types.match(/seconds\?: number/g)).toHaveLength(1);
    expect(types).toContain('/** How long. */');
  });

  it('of spec and status may be the same', () => {
    const state = object({ size: { type: 'integer' } });
    const types = typesOf({ kind: 'Widget', schema: object({ spec: state, status: state }) });
    expect(types).toContain('export type WidgetStatus = WidgetSpec;');
  });

  it('never take a name that the file already has', () => {
    const spec = object({
      list: object({ a: text }),
      spec: object({ b: text }),
      applyConfiguration: object({ c: text }),
    });
    const types = typesOf({ kind: 'Widget', spec });
    const names = [...types.matchAll(/export (?:interface|type) (\w+)/g)].map((match) => match[1]);
    expect(new Set(names).size).toBe(names.length);
    expect(types).toContain("kind: 'WidgetList'");
  });
});

describe('the types of a library', () => {
  const version = (name: string, isServed: boolean, library: string): object => ({
    name,
    served: isServed,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', properties: { part: { $ref: `${library}#/Part` } } } },
  });
  const withVersions = (...versions: object[]): object => ({
    apiVersion: 'kindforge.dev/v1',
    kind: 'ResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: { group: 'example.com', names: { kind: 'Widget', plural: 'widgets' }, scope: 'Namespaced', versions },
  });
  const part = (schema: object): { readonly Part: object } => ({
    Part: { type: 'object', properties: { part: schema } },
  });
  const filesOf = (...versions: object[]): readonly string[] => {
    const libraries = [
      typeLibrary('new/v1', part({ $ref: 'inner/v1#/Part' })),
      typeLibrary('inner/v1', part(text)),
      typeLibrary('old/v1', part({ type: 'object', properties: { part: text } })),
      typeLibrary('spare/v1', part(text)),
    ];
    const paths = [...emit(modelOf(withVersions(...versions), ...libraries)).keys()];
    return paths.filter((path) => path.startsWith('types/') && path.endsWith('/types.ts')).sort();
  };
  const others = ['inner', 'new', 'spare'].map((name) => `types/${name}/v1/types.ts`);

  it('are left out if all versions that use them are neither served nor stored', () => {
    expect(filesOf(version('v1', true, 'new/v1'), version('v1beta1', false, 'old/v1'))).toEqual(others);
  });

  it('are emitted if a served version uses them, itself or through another library, and if no version uses them', () => {
    const all = filesOf(version('v1', true, 'new/v1'), version('v1beta1', true, 'old/v1'));
    expect(all).toEqual([...others, 'types/old/v1/types.ts'].sort());
  });
});
