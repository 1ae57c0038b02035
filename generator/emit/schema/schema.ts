/** Emits the schema of each resource version, and those of each type library, as data. */
import type { Schema } from '../../../runtime/contract/index.js';
import type { Model, ResourceModel, SharedType, VersionModel } from '../../model/model.js';
import type { OutputFile } from '../../write/output-file.js';
import type { Emitter } from '../emitter.js';
import { apiVersionOf, headerFor, libraryFolder, resourceFolder } from '../layout.js';
import { remember, sharedTypes } from '../remember.js';
import { type SharedNames, sharedNamesOf } from '../shared-names.js';
import { librariesOf } from '../shared-types.js';
import type { Literal } from '../source/literal.js';
import { printFile } from '../source/source-file.js';
import { type LibraryOrder, orderLibraries } from './library-order.js';
import { constantStatement, createSchemaFile, type SchemaFile } from './schema-file.js';

const resourceSchema = (resource: ResourceModel, version: VersionModel, model: Model): OutputFile => {
  const folder = resourceFolder(resource, version);
  const { schema } = version;
  const file = createSchemaFile({ folder, model, roots: [schema], taken: ['schema'], mayImport: () => true });
  const doc = `The schema of the objects of \`${apiVersionOf(resource, version)}\`, kind \`${resource.names.kind}\`.`;
  const statements = [...file.partStatements([schema]), constantStatement('schema', file.define(schema), true, doc)];
  return printFile(`${folder}/schema.ts`, headerFor([resource.source]), [...file.importStatements(), ...statements]);
};

/** A type of a library with the constant that holds it. */
interface Declared {
  readonly type: SharedType;
  readonly constant: string;
  /** With the type's name, which it carries wherever it is mentioned. */
  readonly schema: Schema;
}

const declare = (type: SharedType, names: ReadonlyMap<string, SharedNames>): Declared => ({
  type,
  constant: names.get(type.name)?.constant ?? '',
  schema: { ...type.schema, 'x-kindforge-type': type.name },
});

/** The value of a constant: the schema, or the other type that this one is, under a name of its own. */
const literalOf = ({ type, schema }: Declared, file: SchemaFile): Literal => {
  const other = type.schema['x-kindforge-type'];
  const mention = other === undefined || other === type.name ? undefined : file.mention(type.schema);
  if (typeof mention !== 'object' || mention === null) return file.define(schema);
  const name = [['x-kindforge-type', type.name]] as const;
  if ('code' in mention) return { spread: mention.code, entries: name };
  return 'entries' in mention ? { ...mention, entries: [...mention.entries, ...name] } : file.define(schema);
};

const librarySchemas = (
  library: string,
  types: readonly SharedType[],
  model: Model,
  order: LibraryOrder,
): OutputFile => {
  const folder = libraryFolder(library);
  const sorted = order.sort(types).map((type) => declare(type, sharedNamesOf(model.types)));
  const file = createSchemaFile({
    folder,
    model,
    library,
    roots: sorted.map(({ schema }) => schema),
    taken: sorted.map(({ constant }) => constant),
    mayImport: (from) => order.mayImport(library, from),
  });
  const statements = sorted.flatMap((declared) => [
    ...file.partStatements([declared.schema]),
    constantStatement(declared.constant, literalOf(declared, file), true),
  ]);
  const sources = [...new Map(types.map(({ source }) => [source.path, source])).values()];
  return printFile(`${folder}/schema.ts`, headerFor(sources), [...file.importStatements(), ...statements]);
};

export const schemaEmitter: Emitter = {
  name: 'schema',
  emitResource: (resource, model) => resource.versions.map((version) => resourceSchema(resource, version, model)),
  emitModel: remember(sharedTypes, (model) => {
    const order = orderLibraries(model.types);
    return [...librariesOf(model.types)].map(([library, types]) => librarySchemas(library, types, model, order));
  }),
};
