/** Prints a schema file: its constants, and what it imports from libraries. */
import { StructureKind } from 'ts-morph';
import type { Schema } from '../../runtime/contract/index.js';
import { importPath, libraryFolder, libraryTitle } from './layout.js';
import { createSchemaPool, type Part, type SchemaPool } from './schema-pool.js';
import { fieldOverrides, type SharedTypes } from './shared-structures.js';
import { overridesOf, parseTypeName, sharedNamesOf } from './shared-types.js';
import { type Literal, printLiteral, record, toLiteral } from './source/literal.js';
import { createNameScope } from './source/name-scope.js';
import { isInherited, toCamel, toTypeName } from './source/naming.js';
import type { Statement } from './source/source-file.js';

/** A reference to a shared type: the constant of the type, and the keys that the reference overrides. */
interface SchemaReference {
  readonly constant: string;
  readonly overrides: readonly (readonly [key: string, value: unknown])[];
}

/** Returns the reference if a schema is one; `undefined` for a schema that is printed in its place. */
type Resolve = (schema: Schema) => SchemaReference | undefined;

/**
 * Prints `export const name: Schema = …`. The type annotation keeps declaration files small and makes the type check of
 * the literal cheap.
 */
export const constantStatement = (name: string, value: Literal, isExported: boolean, doc = ''): Statement => {
  const start = `${isExported ? 'export ' : ''}const ${name}: Schema = `;
  return `\n${doc === '' ? '' : `/** ${doc} */\n`}${start}${printLiteral(value, start.length)};`;
};

/** A schema file that is being printed. */
export interface SchemaFile {
  /** Returns the literal of a schema, or its name if it has one. */
  readonly mention: (schema: Schema) => Literal;
  readonly define: (schema: Schema) => Literal;
  /** Returns the constants of repeated parts below the roots. Each call only returns new ones. */
  readonly partStatements: (roots: readonly Schema[]) => Statement[];
  /** Returns the imports. Call it last. */
  readonly importStatements: () => Statement[];
}

/** The dependencies of a schema file. */
export interface SchemaFileOptions {
  readonly folder: string;
  readonly shared: SharedTypes;
  readonly roots: readonly Schema[];
  /** Names that the file declares. */
  readonly taken: readonly string[];
  /** Whether the file may use constants of a library. */
  readonly mayImport: (library: string) => boolean;
  /** The library of the file. */
  readonly library?: string;
}

/** Reads the roots, and names the parts that they repeat. */
export const createSchemaFile = ({
  folder,
  shared,
  roots,
  taken,
  mayImport,
  library,
}: SchemaFileOptions): SchemaFile => {
  const scope = createNameScope(['Schema', ...taken]);
  const imports = new Map<string, Map<string, string>>();
  const known = new Map<Schema, SchemaReference | undefined>(roots.map((root) => [root, undefined]));

  const localName = (type: string): string => {
    const { library: from } = parseTypeName(type);
    const constant = sharedNamesOf(shared.types).get(type)?.constant ?? '';
    if (from === library) return constant;
    const names = imports.get(from) ?? new Map<string, string>();
    imports.set(from, names);
    const local =
      names.get(constant) ??
      scope.choose([constant, toCamel(libraryTitle(from)) + toTypeName(parseTypeName(type).name)]);
    names.set(constant, local);
    return local;
  };

  const find = (schema: Schema): SchemaReference | undefined => {
    const name = shared.nameOf(schema);
    const type = name === undefined ? undefined : shared.types.get(name);
    if (name === undefined || type === undefined || !mayImport(parseTypeName(name).library)) return undefined;
    const overrides = type.fields === undefined ? overridesOf(schema, type.schema) : fieldOverrides(schema);
    return overrides === undefined ? undefined : { constant: localName(name), overrides };
  };

  const resolve = (schema: Schema): SchemaReference | undefined => {
    if (!known.has(schema)) known.set(schema, find(schema));
    return known.get(schema);
  };

  const pool = createSchemaPool(resolve);
  const parts = roots.map((root) => pool.partOf(root));
  pool.nameParts(parts, scope);
  const printer = createSchemaPrinter(pool, resolve);
  const printed = new Set<Part>();

  const partStatements = (below: readonly Schema[]): Statement[] => {
    const statements: Statement[] = [];
    const visit = (part: Part): void => {
      if (printed.has(part)) return;
      printed.add(part);
      for (const [, child] of part.children) visit(child);
      if (part.constant === undefined) return;
      const { description: _, ...schema } = part.schema;
      statements.push(constantStatement(part.constant, printer.define(schema), false));
    };
    for (const root of below) visit(pool.partOf(root));
    return statements;
  };

  const importStatements = (): Statement[] => [
    {
      kind: StructureKind.ImportDeclaration,
      isTypeOnly: true,
      moduleSpecifier: 'kindforge/contract',
      namedImports: ['Schema'],
    },
    ...[...imports].sort().map(
      ([from, names]): Statement => ({
        kind: StructureKind.ImportDeclaration,
        moduleSpecifier: importPath(folder, `${libraryFolder(from)}/schema.ts`),
        namedImports: [...names].sort().map(([name, local]) => (name === local ? { name } : { name, alias: local })),
      }),
    ),
  ];
  return { mention: printer.mention, define: printer.define, partStatements, importStatements };
};

const spread = (constant: string, entries: readonly (readonly [string, Literal])[]): Literal =>
  entries.length === 0 ? { code: constant } : { spread: constant, entries };

/** Adds `satisfies` to the value of a name that every object inherits: TypeScript does not expect a schema there. */
const typed = (name: string, literal: Literal): Literal =>
  isInherited(name) && typeof literal === 'object' && literal !== null && 'entries' in literal
    ? { ...literal, satisfies: 'Schema' }
    : literal;

/** Makes the literals of schemas, with constants for repeated parts. */
const createSchemaPrinter = (pool: SchemaPool, resolve: Resolve) => {
  /** Returns the name of a schema, or its literal if it has none. */
  const mention = (schema: Schema): Literal => {
    const reference = resolve(schema);
    if (reference !== undefined) {
      return spread(
        reference.constant,
        reference.overrides.map(([key, value]) => [key, toLiteral(value)] as const),
      );
    }
    const { constant } = pool.partOf(schema);
    if (constant === undefined) return define(schema);
    return spread(constant, schema.description === undefined ? [] : [['description', schema.description]]);
  };

  const member = (key: string, value: unknown, schema: Schema): Literal => {
    const { properties, items, additionalProperties } = schema;
    if (key === 'properties' && properties !== undefined) {
      return { entries: Object.entries(properties).map(([name, property]) => [name, typed(name, mention(property))]) };
    }
    if (key === 'items' && items !== undefined) return mention(items);
    if (key === 'additionalProperties' && typeof additionalProperties === 'object')
      return mention(additionalProperties);
    return toLiteral(value);
  };

  /** Returns the literal of a schema, with names for the schemas below it. */
  const define = (schema: Schema): Literal =>
    record(Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, member(key, value, schema)])));

  return { mention, define };
};
