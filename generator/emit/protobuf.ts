/** Prints the protobuf messages in the schema files of typed resources, and of the libraries that they use. */
import { StructureKind } from 'ts-morph';
import type { ProtobufField, ProtobufMessage, ProtobufSchema } from '../../runtime/contract/index.js';
import { type PlannedVersion, planModel } from '../lock/plan-model.js';
import { schemaOf } from '../lock/protobuf-schema.js';
import type { Model, ResourceModel, VersionModel } from '../model/model.js';
import { compare } from '../write/order.js';
import { keyOf } from './emitter.js';
import { apiVersionOf, importPath, libraryFolder } from './layout.js';
import { parseTypeName } from './shared-types.js';
import { type Literal, printLiteral, record, toLiteral } from './source/literal.js';
import { createNameScope } from './source/name-scope.js';
import { isInherited, toPascal } from './source/naming.js';
import type { Statement } from './source/source-file.js';

/** Messages by id. */
type Messages = ReadonlyMap<string, ProtobufMessage>;

/** The messages of one version: its own, and the messages of each library. */
interface Contents {
  readonly version: PlannedVersion;
  readonly message: string;
  readonly own: Messages;
  readonly libraries: ReadonlyMap<string, Messages>;
}

/** The statements of a schema file about protobuf. */
export interface ProtobufParts {
  /** Returns the statements of a version of a typed resource; empty without numbers. */
  readonly ofVersion: (version: VersionModel, folder: string) => readonly Statement[];
  /** Returns the statements of a library that such a version uses. */
  readonly ofLibrary: (library: string) => readonly Statement[];
  /** Return texts that change with the statements of a resource, or of a library. */
  readonly keyOfResource: (resource: ResourceModel) => string;
  readonly keyOfLibrary: (library: string) => string;
}

const parts = new WeakMap<Model, ProtobufParts>();

/** Returns the statements about protobuf of all schema files of a model. */
export function protobufParts(model: Model): ProtobufParts {
  const known = parts.get(model) ?? partsOf(model);
  parts.set(model, known);
  return known;
}

function partsOf(model: Model): ProtobufParts {
  const contents = contentsOf(model);
  const versions = new Map(contents.map((each) => [each.version.version, each]));
  const libraries = mergeLibraries(contents);
  return {
    ofVersion(version, folder) {
      const found = versions.get(version);
      return found === undefined ? [] : versionStatements(folder, found);
    },
    ofLibrary(library) {
      const messages = libraries.get(library);
      return messages === undefined ? [] : libraryStatements(library, messages);
    },
    keyOfResource: (resource) =>
      keyOf(
        contents
          .filter((each) => each.version.resource === resource)
          .map(({ message, own, libraries: used }) => [message, [...own], [...used.keys()]]),
      ),
    keyOfLibrary: (library) => keyOf([...(libraries.get(library) ?? [])]),
  };
}

function contentsOf(model: Model): readonly Contents[] {
  const lock = model.protobuf;
  if (lock === undefined) return [];
  const typed = planModel(model).filter(({ resource }) => resource.decoding === 'typed');
  return typed.map((version) => divide(version, schemaOf(version, lock), model));
}

/** Separates a version's own messages from messages of shared types, each ordered by id. */
function divide(version: PlannedVersion, schema: ProtobufSchema, model: Model): Contents {
  const own = new Map<string, ProtobufMessage>();
  const libraries = new Map<string, Map<string, ProtobufMessage>>();
  for (const [id, message] of Object.entries(schema.messages).sort(([a], [b]) => compare(a, b))) {
    const type = model.types.get(typeWithin(id));
    if (type === undefined) own.set(id, message);
    else {
      const { library } = parseTypeName(type.name);
      libraries.set(library, (libraries.get(library) ?? new Map()).set(id, message));
    }
  }
  return { version, message: schema.message, own, libraries: sorted(libraries) };
}

/** Returns the shared type that a message is, or is a part of: `core/v1#/Taint.effect` is part of `core/v1#/Taint`. */
const typeWithin = (id: string): string => /^[^#]*#\/[^.:[]*/.exec(id)?.[0] ?? id;

function mergeLibraries(contents: readonly Contents[]): ReadonlyMap<string, Messages> {
  const merged = new Map<string, Map<string, ProtobufMessage>>();
  for (const [library, messages] of contents.flatMap(({ libraries }) => [...libraries])) {
    const known = merged.get(library) ?? new Map<string, ProtobufMessage>();
    for (const [id, message] of messages) known.set(id, message);
    merged.set(library, known);
  }
  return sorted(new Map([...merged].map(([library, messages]) => [library, sorted(messages)])));
}

const sorted = <V>(map: ReadonlyMap<string, V>): ReadonlyMap<string, V> =>
  new Map([...map].sort(([a], [b]) => compare(a, b)));

function versionStatements(folder: string, { version, message, own, libraries }: Contents): readonly Statement[] {
  const { resource } = version;
  const scope = createNameScope();
  const names = [...libraries.keys()].map(
    (library) => [library, scope.choose([`messagesOf${toPascal(library)}`])] as const,
  );
  const imports = names.map(
    ([library, alias]): Statement => ({
      kind: StructureKind.ImportDeclaration,
      moduleSpecifier: importPath(folder, `${libraryFolder(library)}/schema.ts`),
      namedImports: [{ name: 'messages', alias }],
    }),
  );
  const libraryItems: Literal | undefined =
    names.length === 0 ? undefined : { items: names.map(([, alias]) => ({ code: alias })) };
  const schema = record({ message, messages: literalOf(own), libraries: libraryItems });
  const doc = `How \`${resource.names.plural}\` of \`${apiVersionOf(resource, version.version)}\` are encoded in protobuf.`;
  return [
    importOfTypes(typesFor('ProtobufSchema', own)),
    ...imports,
    constant('protobuf', 'ProtobufSchema', schema, doc),
  ];
}

function libraryStatements(library: string, messages: Messages): readonly Statement[] {
  const doc = `How the types of \`${library}\` are encoded in protobuf.`;
  return [
    importOfTypes(typesFor('ProtobufMessages', messages)),
    constant('messages', 'ProtobufMessages', literalOf(messages), doc),
  ];
}

const importOfTypes = (namedImports: string[]): Statement => ({
  kind: StructureKind.ImportDeclaration,
  isTypeOnly: true,
  moduleSpecifier: 'kindforge/contract',
  namedImports,
});

function constant(name: string, type: string, value: Literal, doc: string): Statement {
  const start = `export const ${name}: ${type} = `;
  return `\n/** ${doc} */\n${start}${printLiteral(value, start.length)};`;
}

/** Adds `satisfies` to the value of a name that every object inherits: TypeScript does not expect a field there. */
const fieldLiteral = (name: string, field: ProtobufField): Literal =>
  isInherited(name)
    ? { items: field.flatMap((part) => (part === undefined ? [] : [part])), satisfies: 'ProtobufField' }
    : toLiteral(field);

/** Returns the imports of types that a file of these messages needs. */
const typesFor = (type: string, messages: Messages): string[] =>
  [...messages.values()].some((message) => Object.keys(message).some(isInherited)) ? ['ProtobufField', type] : [type];

/** Returns messages as a literal, with fields ordered by number. */
function literalOf(messages: Messages): Literal {
  const entries = [...messages].map(([id, message]) => {
    const fields = Object.entries(message).sort(([, [a]], [, [b]]) => a - b);
    return [id, { entries: fields.map(([name, field]) => [name, fieldLiteral(name, field)] as const) }] as const;
  });
  return { entries };
}
