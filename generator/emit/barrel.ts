/** Emits the index files, from which people import types and clients. */

import { StructureKind } from 'ts-morph';
import type { Model } from '../model/model.js';
import type { OutputFile } from '../write/output-file.js';
import { clientConstant, hasClient } from './client.js';
import { type Emitter, ofNames } from './emitter.js';
import { type Entry, entriesOf, hasTypes, headerFor, importPath, resourceFolder, versionFolder } from './layout.js';
import { groupProperties, resourceProperty, treePlaces, versionProperty } from './resource-names.js';
import { createNameScope, type NameScope } from './source/name-scope.js';
import { toPascal } from './source/naming.js';
import { namesStatement, printFile, type Statement } from './source/source-file.js';
import { hasStatusApply, kindTypes } from './types/kind-types.js';

export const barrelEmitter: Emitter = {
  name: 'index',
  emitModel: ofNames((model) => {
    const versions = entriesByVersion(model);
    return [...[...versions].map(([folder, entries]) => versionIndex(folder, entries)), rootIndex(model, versions)];
  }),
};

export const registryEmitter: Emitter = {
  name: 'registry',
  emitModel: ofNames((model) => [registryFile(model)]),
};

/** Returns the types of a kind that people use by name. The others are in its `types.ts`. */
const typeNames = ({ resource, version }: Entry): readonly string[] => {
  const { base, object, list, apply, statusApply } = kindTypes(resource);
  const has = (field: string): boolean => version.schema.properties?.[field] !== undefined;
  const lists = resource.verbs.includes('list') ? [list] : [];
  return [
    object,
    ...lists,
    ...(has('spec') ? [`${base}Spec`] : []),
    ...(has('status') ? [`${base}Status`] : []),
    apply,
    ...(hasStatusApply(version) ? [statusApply] : []),
  ];
};

/** A name in a module, and its name in the index. */
interface Exported {
  readonly name: string;
  readonly as: string;
}

const exportOf = (module: string, names: readonly Exported[], isTypeOnly: boolean): Statement => {
  const keyword = isTypeOnly ? 'export type' : 'export';
  const parts = names.map(({ name, as }) => (name === as ? name : `${name} as ${as}`));
  return namesStatement(keyword, parts, module);
};

/**
 * Returns the names of the kinds. If several become the same identifier, the first keeps it, and the others get a
 * number.
 */
const kindNames = (entries: readonly Entry[], scope: NameScope): ReadonlyMap<Entry, string> => {
  const kinds = entries.map((entry) => ({ entry, object: kindTypes(entry.resource).object }));
  const claimed = new Set(kinds.filter(({ object }) => scope.claim(object)).map(({ entry }) => entry));
  return new Map(kinds.map(({ entry, object }) => [entry, claimed.has(entry) ? object : scope.choose([object])]));
};

/**
 * Returns the index of a group version, which exports everything under its own name. If a kind and a part of another
 * kind have the same name, the kind keeps it.
 */
const versionIndex = (folder: string, entries: readonly Entry[]): OutputFile => {
  const scope = createNameScope();
  const kinds = kindNames(entries, scope);
  const statements = entries.flatMap((entry): Statement[] => {
    const { object } = kindTypes(entry.resource);
    const within = resourceFolder(entry.resource, entry.version);
    const types = typeNames(entry).map((name): Exported => {
      const ofKind = name === object ? kinds.get(entry) : undefined;
      return { name, as: ofKind ?? scope.choose([name]) };
    });
    const property = resourceProperty(entry.resource);
    const client = { name: clientConstant(entry.resource), as: scope.choose([property]) };
    const ofClient = exportOf(importPath(folder, `${within}/resource.ts`), [client], false);
    const ofTypes = exportOf(importPath(folder, `${within}/types.ts`), types, true);
    return hasClient(entry.resource, entry.version) ? [ofClient, ofTypes] : [ofTypes];
  });
  return printFile(`${folder}/index.ts`, headerFor([]), statements);
};

const entriesByVersion = (model: Model): ReadonlyMap<string, readonly Entry[]> => {
  const versions = new Map<string, Entry[]>();
  for (const entry of entriesOf(model).filter(hasTypes)) {
    const folder = versionFolder(entry.resource.group, entry.version.name);
    const entries = versions.get(folder);
    if (entries === undefined) versions.set(folder, [entry]);
    else entries.push(entry);
  }
  return versions;
};

/**
 * Returns the index of everything: the client, and the types of each group version in a namespace, as in
 * `storageV1.CSIDriver`.
 */
const rootIndex = (model: Model, versions: ReadonlyMap<string, readonly Entry[]>): OutputFile => {
  const groups = groupProperties(model);
  const scope = createNameScope();
  const namespaces = [...versions].map(([folder, [first]]): Statement => {
    const group = groups.get(first?.resource.group ?? '') ?? '';
    const name = scope.choose([group + toPascal(versionProperty(first?.version.name ?? ''))]);
    return `export type * as ${name} from '${importPath('', `${folder}/index.ts`)}';`;
  });
  return printFile('index.ts', headerFor([]), [
    "export { type Client, createClient } from './client.js';",
    ...namespaces,
  ]);
};

const registryFile = (model: Model): OutputFile => {
  const modules = treePlaces(model, ['ResourceModule', 'registry']);
  const imports = modules.map(
    ({ resource, version, unique }): Statement => ({
      kind: StructureKind.ImportDeclaration,
      moduleSpecifier: importPath('', `${resourceFolder(resource, version)}/resource.ts`),
      namedImports: [{ name: 'resource', alias: unique }],
    }),
  );
  return printFile('registry.ts', headerFor([]), [
    {
      kind: StructureKind.ImportDeclaration,
      isTypeOnly: true,
      moduleSpecifier: 'kindforge/contract',
      namedImports: ['ResourceModule'],
    },
    ...imports,
    '\n/** Every version of every resource, by group and plural. */',
    `export const registry: readonly ResourceModule[] = [\n${modules.map(({ unique }) => `  ${unique},\n`).join('')}];`,
  ]);
};
