/**
 * Arbitrary files of definitions, mostly valid, with names, numbers and keywords that often reveal mistakes of
 * programs.
 */
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { type ArbitrarySchema, rootSchema } from './arbitrary-definition-schemas.js';
import { never, oneOf, type Part, placeholder, present, printRaw, rare, record } from './arbitrary-json.js';

/** The group of the definitions in one file, until the file has an index among others. */
const GROUP = 'GROUP';

/** Kinds with plurals. Many become the same identifier, or have a meaning in the printed code. */
const names: readonly (readonly [kind: string, plural: string])[] = [
  ...[['Widget', 'widgets'] as const, ['Foo-Bar', 'foo-bars'] as const, ['FooBar', 'foobars'] as const],
  ...[['Foobar', 'foobarz'] as const, ['Object', 'objects'] as const, ['Promise', 'promise'] as const],
  ...[['Constructor', 'constructor'] as const, ['Then', 'then'] as const, ['Class', 'class'] as const],
  ...[['ObjectMeta', 'con'] as const, ['ResourceDescriptor', 'nul'] as const, ['WidgetSpec', 'aux'] as const],
  ...[['Widget', 'com1'] as const, ['A', 'a'] as const, ['Schema', 'import'] as const, ['widget', 'default'] as const],
  ...[['WidgetList', 'widgetlists'] as const, ['ABCDef', 'abcdefs'] as const, ['Status', 'prototype'] as const],
];
const groups = ['a', 'aux', 'then', 'constructor', 'types', 'a-b'];
const versionNames = [['v1'], ['v1'], ['v1', 'v1beta1'], ['v2', 'v1', 'v1alpha1'], ['con', 'v1-1', 'v11']];
const wrongVersionNames = [['v1', 'v1'], ['V1'], []];

const paths = [
  ...['.spec.a', '.spec.b.c', '.spec.replicas', '.status.replicas', '.status.selector', '.metadata.name', 'spec.a'],
  ...['.spec.constructor', '.spec.__proto__', '.spec[0]', '.spec["a"]', "['spec']", '.spec.list[*].a', '.', ''],
];
const path = oneOf(...paths);

/** Makes columns. Each path leads to a field of the column's type. */
const rightColumns = ({ isScaled }: ArbitrarySchema): fc.Arbitrary<JsonObject> =>
  fc
    .constantFrom(
      { type: 'string', jsonPath: '.metadata.name' },
      { type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ...(isScaled ? [{ type: 'integer', jsonPath: '.spec.replicas' }] : []),
    )
    .chain((column) =>
      record({
        name: oneOf('A', 'Age', '__proto__', "it's */", placeholder),
        ...{ type: oneOf(column.type), jsonPath: oneOf(column.jsonPath) },
        priority: rare(oneOf(0, 1, -1)),
        description: rare(oneOf('About */ it', '')),
      }),
    );

const wrongColumns = record({
  name: oneOf('A', ''),
  type: oneOf('string', 'integer', 'number', 'boolean', 'date', 'colour'),
  jsonPath: path,
});

const columns = (options: ArbitrarySchema): fc.Arbitrary<JsonValue> =>
  fc.uniqueArray(options.isCareful ? rightColumns(options) : wrongColumns, {
    maxLength: 3,
    selector: ({ name }) => name,
  });

const scaling = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
const wrongScale = record({ specReplicasPath: path, statusReplicasPath: path, labelSelectorPath: rare(path) });

const subresources = ({ isNative, isCareful, isScaled }: ArbitrarySchema): fc.Arbitrary<JsonObject> =>
  record({
    status: isScaled ? rare(oneOf({}), 1) : never,
    scale: isScaled ? rare(oneOf(scaling), 1) : isCareful ? never : rare(wrongScale, 2),
    approval: isNative && isScaled ? rare(oneOf({ verbs: ['get', 'update'], writes: ['status'] }), 3) : never,
  });

const selectable = ({ isCareful, isScaled }: ArbitrarySchema): Part => {
  if (!isCareful) return rare(fc.array(record({ jsonPath: path }), { maxLength: 2 }), 3);
  return isScaled ? rare(oneOf([{ jsonPath: '.spec.replicas' }]), 3) : never;
};

/** Makes the schemas of several versions: the same for all, one more field in each, or different ones. */
const schemasFor = (count: number, options: ArbitrarySchema): fc.Arbitrary<readonly JsonObject[]> =>
  fc.oneof(
    rootSchema(options).map((schema) => Array.from({ length: count }, () => schema)),
    rootSchema(options).map((schema) =>
      Array.from({ length: count }, (_, index) => (index === 0 ? schema : withField(schema, `extra${index}`))),
    ),
    fc.array(rootSchema(options), { minLength: count, maxLength: count }),
  );

const withField = (schema: JsonObject, name: string): JsonObject => {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return { ...schema, properties: { ...properties, [name]: { type: 'integer', default: 1 } } };
};

const versionsOf = (options: ArbitrarySchema): fc.Arbitrary<readonly JsonObject[]> =>
  fc.constantFrom(...versionNames, ...(options.isCareful ? [] : wrongVersionNames)).chain((list) => {
    const more = record({
      served: oneOf(true, true, true, false),
      additionalPrinterColumns: rare(columns(options), 1),
      subresources: rare(subresources(options), 1),
      selectableFields: options.isNative ? selectable(options) : never,
      deprecated: options.isNative ? never : rare(oneOf(true)),
    });
    return fc
      .tuple(schemasFor(list.length, options), fc.array(more, { minLength: list.length, maxLength: list.length }))
      .map(([schemas, parts]) =>
        list.map((name, index) => ({
          name,
          storage: index === 0,
          ...parts[index],
          schema: { openAPIV3Schema: schemas[index] ?? {} },
        })),
      );
  });

const definition = (options: ArbitrarySchema, [kind, plural]: readonly [string, string]): fc.Arbitrary<JsonObject> =>
  fc
    .record({
      versions: versionsOf(options),
      scope: oneOf('Namespaced', 'Namespaced', 'Cluster'),
      shortNames: rare(oneOf(['w'], ['con', 'then'], ...(options.isCareful ? [] : [['W'], ['w', 'w']]))),
    })
    .map(({ versions, scope, shortNames }) => ({
      apiVersion: options.isNative ? 'kindforge.dev/v1' : 'apiextensions.k8s.io/v1',
      kind: options.isNative ? 'ResourceDefinition' : 'CustomResourceDefinition',
      metadata: { name: `${plural}.${GROUP}` },
      spec: {
        group: GROUP,
        names: present({ kind, plural, shortNames }),
        scope,
        versions: [...versions],
      },
    }));

const library = (types: JsonObject): JsonObject => ({
  apiVersion: 'kindforge.dev/v1',
  kind: 'TypeLibrary',
  metadata: { name: 'shared/v1' },
  spec: { types },
});

/** The types that native definitions refer to. */
export const sharedTypes: string = JSON.stringify(
  library({
    Part: { type: 'object', required: ['a'], properties: { a: { type: 'string' }, constructor: { type: 'integer' } } },
    FooBar: { type: 'string', enum: ['a', '*/', '__proto__'], description: 'One */ of some' },
  }),
);

/** A file with one definition, or with two of one group, in which `at` makes the group one that no other file has. */
export interface DefinitionFile {
  readonly at: (index: number) => { readonly group: string; readonly text: string };
}

export const definitionFile: fc.Arbitrary<DefinitionFile> = fc
  .tuple(
    fc.shuffledSubarray([...names], { minLength: 1, maxLength: 2 }),
    fc.record({ isNative: fc.boolean(), isCareful: fc.constantFrom(true, true, true, false), isScaled: fc.boolean() }),
    fc.constantFrom(...groups),
    fc.integer({ min: 0, max: 2 }),
  )
  .chain(([chosen, options, group, few]) =>
    fc
      .tuple(...(few === 0 ? chosen : chosen.slice(0, 1)).map((each) => definition(options, each)))
      .map((definitions) => ({ group, texts: definitions.map(printRaw) })),
  )
  .map(({ group, texts }) => ({
    at: (index) => {
      const name = `${group}.g${index}.example.com`;
      return { group: name, text: texts.join('\n---\n').replaceAll(GROUP, name) };
    },
  }));
