/** Emits the schema of each resource version and of each type library, as data. */
import type { Schema } from '../../runtime/contract/index.js';
import type { Model, ResourceModel, VersionModel } from '../model/model.js';
import { lazyFile, type OutputFile } from '../write/output-file.js';
import { type Emitter, keyOf } from './emitter.js';
import { apiVersionOf, headerFor, importPath, libraryFolder, resourceFolder } from './layout.js';
import { type LibraryOrder, libraryKey, orderLibraries } from './library-order.js';
import { protobufParts } from './protobuf.js';
import { constantStatement, createSchemaFile, type SchemaFile } from './schema-file.js';
import { type PrintedType, type SharedTypes, sharedTypesOf, structureNamesIn } from './shared-structures.js';
import { librariesOf, type SharedNames, sharedNamesOf, sourcesIn } from './shared-types.js';
import type { Literal } from './source/literal.js';
import { printFile } from './source/source-file.js';

/** A type of a library with its constant. */
interface Declared {
  readonly type: PrintedType;
  readonly constant: string;
  /** The schema, with the type's name if a library has the type, so that every use has the name. */
  readonly schema: Schema;
}

export const schemaEmitter: Emitter = {
  name: 'schema',
  emitResource: (resource, model) => {
    const written = new Map<string, VersionModel>();
    return resource.versions.map((version) => resourceSchema(resource, version, model, written));
  },
  dependsOn: (resource, model) =>
    keyOf(structureNamesIn(resource, model), protobufParts(model).keyOfResource(resource)),
  emitModel: (model) => {
    const shared = sharedTypesOf(model);
    const order = orderLibraries(shared);
    return [...librariesOf(shared.types)].map(([library, types]) =>
      lazyFile(
        `${libraryFolder(library)}/schema.ts`,
        keyOf(libraryKey(types, shared), order.importsOf(library), protobufParts(model).keyOfLibrary(library)),
        () => librarySchemas(model, library, types, shared, order).content,
      ),
    );
  },
};

/**
 * Prints the schema of a version. `written` has earlier versions by their text; an equal schema is re-exported from
 * there.
 */
const resourceSchema = (
  resource: ResourceModel,
  version: VersionModel,
  model: Model,
  written: Map<string, VersionModel>,
): OutputFile => {
  const folder = resourceFolder(resource, version);
  const { schema } = version;
  const file = createSchemaFile({
    folder,
    shared: sharedTypesOf(model),
    roots: [schema],
    taken: ['schema', 'protobuf'],
    mayImport: () => true,
  });
  const parts = file.partStatements([schema]);
  const value = file.define(schema);
  const imports = file.importStatements();
  const text = JSON.stringify([imports, parts, constantStatement('schema', value, true)]);
  const equal = written.get(text);
  if (equal === undefined) written.set(text, version);
  const doc = `The schema of the objects of \`${apiVersionOf(resource, version)}\`, kind \`${resource.names.kind}\``;
  return printFile(`${folder}/schema.ts`, headerFor([resource.source]), [
    ...(equal === undefined
      ? [...imports, ...parts, constantStatement('schema', value, true, `${doc}.`)]
      : [
          `\n/** ${doc}, which is the same in \`${equal.name}\`. */`,
          `export { schema } from '${importPath(folder, `${resourceFolder(resource, equal)}/schema.ts`)}';`,
        ]),
    ...protobufParts(model).ofVersion(version, folder),
  ]);
};

const declare = (type: PrintedType, names: ReadonlyMap<string, SharedNames>): Declared => ({
  type,
  constant: names.get(type.name)?.constant ?? '',
  schema: type.fields === undefined ? { ...type.schema, 'x-kindforge-type': type.name } : type.schema,
});

/** Returns the value of a constant: the schema, or the name of another type that is equal. */
const literalOf = ({ type, schema }: Declared, file: SchemaFile): Literal => {
  const other = type.schema['x-kindforge-type'];
  const mention = other === undefined || other === type.name ? undefined : file.mention(type.schema);
  if (typeof mention !== 'object' || mention === null) return file.define(schema);
  const name = [['x-kindforge-type', type.name]] as const;
  if ('code' in mention) return { spread: mention.code, entries: name };
  return 'entries' in mention ? { ...mention, entries: [...mention.entries, ...name] } : file.define(schema);
};

const librarySchemas = (
  model: Model,
  library: string,
  types: readonly PrintedType[],
  shared: SharedTypes,
  order: LibraryOrder,
): OutputFile => {
  const folder = libraryFolder(library);
  const sorted = order.sort(types).map((type) => declare(type, sharedNamesOf(shared.types)));
  const file = createSchemaFile({
    folder,
    shared,
    library,
    roots: sorted.map(({ schema }) => schema),
    taken: ['messages', ...sorted.map(({ constant }) => constant)],
    mayImport: (from) => order.mayImport(library, from),
  });
  const statements = sorted.flatMap((declared) => [
    ...file.partStatements([declared.schema]),
    constantStatement(declared.constant, literalOf(declared, file), true),
  ]);
  return printFile(`${folder}/schema.ts`, headerFor(sourcesIn(types)), [
    ...file.importStatements(),
    ...statements,
    ...protobufParts(model).ofLibrary(library),
  ]);
};
