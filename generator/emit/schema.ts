/** Emits the schema of each resource version, and those of each type library, as data. */
import type { Schema } from '../../runtime/contract/index.js';
import type { Emitter, Model, OutputFile, ResourceModel, SharedType, VersionModel } from '../model.js';
import { apiVersionOf, headerFor, librariesOf, libraryFolder, resourceFolder } from './layout.js';
import { type LibraryOrder, orderLibraries } from './library-order.js';
import { constantStatement, createSchemaFile, sharedConstant } from './schema-file.js';
import { printFile } from './source-file.js';

const resourceSchema = (resource: ResourceModel, version: VersionModel, model: Model): OutputFile => {
  const folder = resourceFolder(resource, version);
  const { schema } = version;
  const file = createSchemaFile({ folder, model, roots: [schema], taken: ['schema'], mayImport: () => true });
  const doc = `What objects of \`${apiVersionOf(resource, version)}\`, kind \`${resource.names.kind}\`, consist of.`;
  const statements = [...file.partStatements([schema]), constantStatement('schema', file.define(schema), true, doc)];
  return printFile(`${folder}/schema.ts`, headerFor([resource.source]), [...file.importStatements(), ...statements]);
};

/** The schema of a type, which carries the type's name wherever it is mentioned. */
const named = ({ name, schema }: SharedType): Schema => ({ 'x-kindforge-type': name, ...schema });

const librarySchemas = (
  library: string,
  types: readonly SharedType[],
  model: Model,
  order: LibraryOrder,
): OutputFile => {
  const folder = libraryFolder(library);
  const sorted = order.sort(types).map((type) => ({ constant: sharedConstant(type.name), type, schema: named(type) }));
  const file = createSchemaFile({
    folder,
    model,
    library,
    roots: sorted.map(({ schema }) => schema),
    taken: sorted.map(({ constant }) => constant),
    mayImport: (from) => order.mayImport(library, from),
  });
  const statements = sorted.flatMap(({ constant, type, schema }) => {
    const isReference = schema['x-kindforge-type'] !== type.name;
    const literal = isReference ? file.mention(schema) : file.define(schema);
    return [...file.partStatements([schema]), constantStatement(constant, literal, true)];
  });
  const sources = [...new Map(types.map(({ source }) => [source.path, source])).values()];
  return printFile(`${folder}/schema.ts`, headerFor(sources), [...file.importStatements(), ...statements]);
};

export const schemaEmitter: Emitter = {
  name: 'schema',
  emitResource: (resource, model) => resource.versions.map((version) => resourceSchema(resource, version, model)),
  emitModel: (model) => {
    const order = orderLibraries(model.types);
    return [...librariesOf(model.types)].map(([library, types]) => librarySchemas(library, types, model, order));
  },
};
