/** Emits the functions of resource versions and of shared types: normalize, prune, fill in defaults and validate. */
import {
  compileSchema,
  type Definitions,
  defineFunctions,
  type Import,
  type Module,
  printModule,
} from '../../../runtime/schema/index.js';
import type { Model, VersionModel } from '../../model/model.js';
import type { OutputFile } from '../../write/output-file.js';
import type { Emitter } from '../emitter.js';
import { type Entry, entriesOf, headerFor, importPath, libraryFolder, resourceFolder } from '../layout.js';
import { createPrinter, type Draft, remember, sharedTypes } from '../remember.js';
import { shareEqual } from '../share-equal.js';
import { sourcesOf } from '../shared-types.js';
import { type FileContents, type LibraryContents, poolFunctions, type ResourceContents } from './function-pool.js';

/** An emitter that compiles again only what has changed, and prints again only files that consist of something else. */
export function createFunctionsEmitter(): Emitter {
  const compiled = new WeakMap<VersionModel, Definitions>();
  const print = createPrinter();

  const compile = (entry: Entry): Definitions => {
    const definitions = compiled.get(entry.version) ?? defineFunctions(entry.version.schema, optionsOf(entry));
    compiled.set(entry.version, definitions);
    return definitions;
  };

  return {
    name: 'functions',
    emitResource: (resource) =>
      isTyped({ resource })
        ? []
        : shareEqual(resource.versions.map((version) => structuralFile({ resource, version }))),
    emitModel: remember(typesAndTyped, (model) => {
      const entries = entriesOf(model).filter(isTyped);
      const modules = new Map(entries.map((entry) => [entry, compile(entry)]));
      const { resources, libraries } = poolFunctions(modules, model.types);
      const printed = print([
        ...[...resources].map(([entry, contents]) => resourceDraft(entry, contents)),
        ...[...libraries].map(([library, contents]) => libraryDraft(library, contents, model)),
      ]);
      return [...shareEqual(printed.slice(0, resources.size)), ...printed.slice(resources.size)];
    }),
  };
}

const optionsOf = ({ resource, version }: Entry) =>
  ({ decoding: resource.decoding, kind: resource.names.kind, version: version.name }) as const;

/** Structural resources refer to no shared types, so that the file of each is of its own. */
const isTyped = ({ resource }: Pick<Entry, 'resource'>): boolean => resource.decoding === 'typed';

const typesAndTyped = (model: Model): readonly unknown[] => [
  ...sharedTypes(model),
  ...model.resources.filter((resource) => isTyped({ resource })),
];

const pathOf = ({ resource, version }: Entry): string => `${resourceFolder(resource, version)}/functions.ts`;

const structuralFile = (entry: Entry): OutputFile => {
  const { text } = compileSchema(entry.version.schema, { ...optionsOf(entry), language: 'ts' });
  return fileOf(pathOf(entry), headerFor([entry.resource.source]), text);
};

const resourceDraft = (entry: Entry, contents: ResourceContents): Draft => {
  const path = pathOf(entry);
  const { definitions, offered } = contents;
  const module: Module = { language: 'ts', definitions, offered, imports: importsOf(path, contents) };
  return draftOf(path, headerFor([entry.resource.source]), module);
};

const libraryDraft = (library: string, contents: LibraryContents, model: Model): Draft => {
  const path = `${libraryFolder(library)}/functions.ts`;
  const { definitions, exported } = contents;
  const imports = importsOf(path, contents);
  const module: Module = { language: 'ts', definitions, offered: new Map(), exported, imports };
  return draftOf(path, headerFor(sourcesOf(library, model.types)), module);
};

const draftOf = (path: string, header: string, module: Module): Draft => ({
  path,
  key: JSON.stringify([header, module], (_key, value: unknown) => (value instanceof Map ? [...value] : value)),
  print: () => fileOf(path, header, printModule(module)),
});

/** The imports of a file at a path, as its printer takes them. */
const importsOf = (path: string, { imports }: FileContents): readonly Import[] =>
  [...imports].map(([library, names]) => {
    const folder = path.slice(0, path.lastIndexOf('/'));
    return { module: importPath(folder, `${libraryFolder(library)}/functions.ts`), names };
  });

const fileOf = (path: string, header: string, text: string): OutputFile => ({ path, content: `${header}\n\n${text}` });
