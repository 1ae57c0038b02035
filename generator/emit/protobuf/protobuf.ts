/** Emits `protobuf.ts` for every version of every typed resource, and for each library of types that one of them uses. */
import { StructureKind } from 'ts-morph';
import type { ProtobufField, ProtobufMessage, ProtobufSchema } from '../../../runtime/contract/index.js';
import { type PlannedVersion, planModel } from '../../lock/plan-model.js';
import { schemaOf } from '../../lock/protobuf-schema.js';
import type { Model } from '../../model/model.js';
import { compare } from '../../write/order.js';
import { lazyFile, type OutputFile } from '../../write/output-file.js';
import type { Emitter } from '../emitter.js';
import { keyOf } from '../fingerprint.js';
import { apiVersionOf, headerFor, importPath, libraryFolder, resourceFolder } from '../layout.js';
import { parseTypeName, sourcesOf } from '../shared-types.js';
import { type Literal, printLiteral, record, toLiteral } from '../source/literal.js';
import { createNameScope } from '../source/name-scope.js';
import { isInherited, toCamel } from '../source/naming.js';
import { printFile, type Statement } from '../source/source-file.js';

/** Messages by id. */
type Messages = ReadonlyMap<string, ProtobufMessage>;

/** The messages of one version: its own, and those of each library. */
interface Contents {
  readonly version: PlannedVersion;
  readonly message: string;
  readonly own: Messages;
  readonly libraries: ReadonlyMap<string, Messages>;
}

/** The emitter of the files. Emits nothing without numbers. */
export const protobufEmitter: Emitter = {
  name: 'protobuf',
  emitModel(model) {
    const contents = contentsOf(model);
    const libraries = [...mergeLibraries(contents)];
    return [
      ...contents.map(versionFile),
      ...libraries.map(([library, messages]) => libraryFile(library, messages, model)),
    ];
  },
};

function versionFile(contents: Contents): OutputFile {
  const { version, message, own, libraries } = contents;
  const path = `${resourceFolder(version.resource, version.version)}/protobuf.ts`;
  const header = headerFor([version.resource.source]);
  const key = keyOf(header, message, [...own], [...libraries.keys()]);
  return lazyFile(path, key, () => printVersion(path, header, contents).content);
}

function libraryFile(library: string, messages: Messages, model: Model): OutputFile {
  const path = `${libraryFolder(library)}/protobuf.ts`;
  const header = headerFor(sourcesOf(library, model.types));
  const key = keyOf(header, [...messages]);
  return lazyFile(path, key, () => printLibrary(path, header, library, messages).content);
}

function contentsOf(model: Model): readonly Contents[] {
  const lock = model.protobuf;
  if (lock === undefined) return [];
  const typed = planModel(model).filter(({ resource }) => resource.decoding === 'typed');
  return typed.map((version) => divide(version, schemaOf(version, lock), model));
}

/** Parts a version's messages into its own and those of shared types, each in the order of their ids. */
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

/** The shared type that a message is, or is a part of: `core/v1#/Taint.effect` is part of `core/v1#/Taint`. */
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

function printVersion(path: string, header: string, { version, message, own, libraries }: Contents): OutputFile {
  const { resource } = version;
  const folder = path.slice(0, path.lastIndexOf('/'));
  const scope = createNameScope(['protobuf', 'ProtobufField', 'ProtobufSchema']);
  const names = [...libraries.keys()].map((library) => [library, scope.choose([toCamel(library)])] as const);
  const imports = names.map(
    ([library, alias]): Statement => ({
      kind: StructureKind.ImportDeclaration,
      moduleSpecifier: importPath(folder, `${libraryFolder(library)}/protobuf.ts`),
      namedImports: [{ name: 'messages', alias }],
    }),
  );
  const libraryItems: Literal | undefined =
    names.length === 0 ? undefined : { items: names.map(([, alias]) => ({ code: alias })) };
  const schema = record({ message, messages: literalOf(own), libraries: libraryItems });
  const doc = `How \`${resource.names.plural}\` of \`${apiVersionOf(resource, version.version)}\` are written in protobuf.`;
  return printFile(path, header, [
    importOfTypes(typesFor('ProtobufSchema', own)),
    ...imports,
    constant('protobuf', 'ProtobufSchema', schema, doc),
  ]);
}

function printLibrary(path: string, header: string, library: string, messages: Messages): OutputFile {
  const doc = `How the types of \`${library}\` are written in protobuf.`;
  return printFile(path, header, [
    importOfTypes(typesFor('ProtobufMessages', messages)),
    constant('messages', 'ProtobufMessages', literalOf(messages), doc),
  ]);
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

/** Beside a name that every object inherits TypeScript does not expect a field, unless it is told. */
const fieldLiteral = (name: string, field: ProtobufField): Literal =>
  isInherited(name)
    ? { items: field.flatMap((part) => (part === undefined ? [] : [part])), satisfies: 'ProtobufField' }
    : toLiteral(field);

/** The types that a file of these messages needs. */
const typesFor = (type: string, messages: Messages): string[] =>
  [...messages.values()].some((message) => Object.keys(message).some(isInherited)) ? ['ProtobufField', type] : [type];

/** Messages as a literal, fields in the order of their numbers. */
function literalOf(messages: Messages): Literal {
  const entries = [...messages].map(([id, message]) => {
    const fields = Object.entries(message).sort(([, [a]], [, [b]]) => a - b);
    return [id, { entries: fields.map(([name, field]) => [name, fieldLiteral(name, field)] as const) }] as const;
  });
  return { entries };
}
