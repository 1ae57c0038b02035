/** Emits the TypeScript types of each resource version, and of each type library. */
import type { Model, SharedType } from '../../model/model.js';
import { lazyFile, type OutputFile } from '../../write/output-file.js';
import type { Emitter } from '../emitter.js';
import { type Entry, entriesOf, hasTypes, headerFor, libraryFolder } from '../layout.js';
import { libraryKey, referencesIn } from '../library-order.js';
import { type PrintedType, type SharedTypes, sharedTypesOf, structureNamesIn } from '../shared-structures.js';
import { librariesOf, parseTypeName, sourcesIn } from '../shared-types.js';
import { docText, escapeComment, tagsOf } from '../source/jsdoc.js';
import { printFile, type Statement } from '../source/source-file.js';
import { resourceTypes } from './resource-types.js';
import { createTypeBuilder, type TypeBuilder, type Typed } from './type-builder.js';
import {
  applyDoc,
  createTypeFile,
  importStatements,
  nestedStatements,
  pinShape,
  rootStatement,
  sharedName,
  type TypeFile,
} from './type-file.js';
import { nameApplyShapes, nameShapes } from './type-names.js';
import type { Shape } from './type-nodes.js';

export const typesEmitter: Emitter = {
  name: 'types',
  emitResource: (resource, model) =>
    resource.versions
      .filter((version) => hasTypes({ resource, version }))
      .map((version) => resourceTypes(resource, version, model)),
  dependsOn: structureNamesIn,
  emitModel: (model) => {
    const shared = sharedTypesOf(model);
    return [...typedLibraries(model, shared)].map(([library, types]) =>
      lazyFile(
        `${libraryFolder(library)}/types.ts`,
        libraryKey(types, shared),
        () => libraryTypes(library, types, shared).content,
      ),
    );
  },
};

/** Returns the libraries with types to print. If only versions without types use a library, nobody imports its types. */
function typedLibraries(model: Model, shared: SharedTypes): ReadonlyMap<string, readonly PrintedType[]> {
  const libraries = librariesOf(shared.types);
  const usedBy = (entries: readonly Entry[]): ReadonlySet<string> => {
    const used = new Set<string>();
    const visit = (type: Pick<SharedType, 'name' | 'schema'>): void => {
      for (const name of referencesIn(type, shared)) {
        const { library } = parseTypeName(name);
        if (used.has(library)) continue;
        used.add(library);
        libraries.get(library)?.forEach(visit);
      }
    };
    for (const { version } of entries) visit({ name: '', schema: version.schema });
    return used;
  };
  const entries = entriesOf(model);
  const [used, typed] = [usedBy(entries), usedBy(entries.filter(hasTypes))];
  return new Map([...libraries].filter(([library]) => typed.has(library) || !used.has(library)));
}

interface Declared extends Typed {
  readonly name: string;
  /** Absent if it is the same type. */
  readonly applyName: string | undefined;
  readonly doc: string;
}

const docOf = ({ schema, fields }: PrintedType): string =>
  fields === undefined
    ? docText(schema.description ?? '', tagsOf(schema), 0)
    : docText(`The type of ${listed(fields)} fields.`, tagsOf(schema), 0);

const listed = (fields: readonly string[]): string => {
  const [last = '', ...others] = fields.map((name) => `\`${escapeComment(name).replace(/\s+/g, ' ')}\``).reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
};

const declare = (type: PrintedType, builder: TypeBuilder, file: TypeFile): Declared => {
  const other = type.schema['x-kindforge-type'];
  const isReference = other !== undefined && other !== type.name;
  const typed = isReference ? builder.build(type.schema) : builder.define(type.schema);
  const applyName = typed.apply === typed.plain ? undefined : sharedName(file, type.name, true);
  return { ...typed, name: sharedName(file, type.name, false), applyName, doc: docOf(type) };
};

/** Returns the file `types.ts` of a library. */
const libraryTypes = (library: string, types: readonly PrintedType[], shared: SharedTypes): OutputFile => {
  const folder = libraryFolder(library);
  const file = createTypeFile(folder, shared.types, library);
  const builder = createTypeBuilder(shared);
  const declared = types.map((type) => declare(type, builder, file));
  builder.settle();

  for (const { name, applyName, plain, apply } of declared) {
    file.scope.claim(name);
    pinShape(file, plain, name);
    if (applyName !== undefined) {
      file.scope.claim(applyName);
      pinShape(file, apply, applyName);
    }
  }
  nameShapes(
    declared.map(({ name, plain }) => ({ name, node: plain })),
    file.scope,
    file.shapes,
  );
  nameApplyShapes(
    declared.map(({ apply }) => apply),
    file.scope,
    file.shapes,
  );

  const done = new Set<Shape>();
  const statements = declared.flatMap(({ name, applyName, plain, apply, doc }): Statement[] => [
    rootStatement(file, name, doc, plain),
    ...nestedStatements(file, [plain], done),
    ...(applyName === undefined ? [] : [rootStatement(file, applyName, applyDoc(name), apply)]),
    ...nestedStatements(file, [apply], done),
  ]);
  return printFile(`${folder}/types.ts`, headerFor(sourcesIn(types)), [...importStatements(file), ...statements]);
};
