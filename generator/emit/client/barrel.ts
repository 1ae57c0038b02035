/** Emits the index files, from which people import types and clients. */
import type { Model } from '../../model/model.js';
import type { OutputFile } from '../../write/output-file.js';
import type { Emitter } from '../emitter.js';
import { type Entry, entriesOf, headerFor, importPath, resourceFolder, versionFolder } from '../layout.js';
import { namesOfResources, remember } from '../remember.js';
import { groupProperties, resourceProperty, versionProperty } from '../resource-names.js';
import { LINE_WIDTH } from '../source/literal.js';
import { createNameScope } from '../source/name-scope.js';
import { toPascal } from '../source/naming.js';
import { printFile, type Statement } from '../source/source-file.js';
import { kindTypes } from '../types/kind-types.js';

/** Types of a kind that people name; its further ones are in its `types.ts`. */
const typeNames = ({ resource, version }: Entry): readonly string[] => {
  const { base, object, list, apply } = kindTypes(resource);
  const has = (field: string): boolean => version.schema.properties?.[field] !== undefined;
  const lists = resource.verbs.includes('list') ? [list] : [];
  return [
    object,
    ...lists,
    ...(has('spec') ? [`${base}Spec`] : []),
    ...(has('status') ? [`${base}Status`] : []),
    apply,
  ];
};

const exportOf = (module: string, names: readonly string[], isTypeOnly: boolean): Statement => {
  const keyword = isTypeOnly ? 'export type' : 'export';
  const line = `${keyword} { ${names.join(', ')} } from '${module}';`;
  return line.length <= LINE_WIDTH ? line : `${keyword} {\n  ${names.join(',\n  ')},\n} from '${module}';`;
};

/** The index of a group version. Should a kind be called what another kind's part is, the name is the kind's. */
const versionIndex = (folder: string, entries: readonly Entry[]): OutputFile => {
  const kinds = new Set(entries.map(({ resource }) => kindTypes(resource).object));
  const scope = createNameScope();
  const statements = entries.flatMap((entry): Statement[] => {
    const { object } = kindTypes(entry.resource);
    const within = resourceFolder(entry.resource, entry.version);
    const names = typeNames(entry).filter((name) => (name === object || !kinds.has(name)) && scope.claim(name));
    const property = resourceProperty(entry.resource);
    return [
      ...(scope.claim(property) ? [exportOf(importPath(folder, `${within}/client.ts`), [property], false)] : []),
      ...(names.length === 0 ? [] : [exportOf(importPath(folder, `${within}/types.ts`), names, true)]),
    ];
  });
  return printFile(`${folder}/index.ts`, headerFor([]), statements);
};

const entriesByVersion = (model: Model): ReadonlyMap<string, readonly Entry[]> => {
  const versions = new Map<string, Entry[]>();
  for (const entry of entriesOf(model)) {
    const folder = versionFolder(entry.resource.group, entry.version.name);
    const entries = versions.get(folder);
    if (entries === undefined) versions.set(folder, [entry]);
    else entries.push(entry);
  }
  return versions;
};

/** The index of all: the client, and the types of each group version in a namespace, as in `storageV1.CSIDriver`. */
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

export const barrelEmitter: Emitter = {
  name: 'index',
  emitModel: remember(namesOfResources, (model) => {
    const versions = entriesByVersion(model);
    return [...[...versions].map(([folder, entries]) => versionIndex(folder, entries)), rootIndex(model, versions)];
  }),
};
