/** Emits the typed client: the tree of all resource versions, each by a constant of its `resource.ts`. */
import { type ImportSpecifierStructure, type OptionalKind, StructureKind } from 'ts-morph';
import { kubernetesNaming } from '../../runtime/objects/names/naming.js';
import type { Model, ResourceModel, VersionModel } from '../model/model.js';
import { VERBS } from '../model/subresources.js';
import type { OutputFile } from '../write/output-file.js';
import { type Emitter, ofNames } from './emitter.js';
import { apiVersionOf, headerFor, importPath, resourceFolder } from './layout.js';
import { type FollowedField, followedFields, type ImportedType, targetTypes } from './references.js';
import { resourceProperty, type TreePlace, treePlaces } from './resource-names.js';
import { LINE_WIDTH, type Literal, printKey, printLiteral, quote, toLiteral } from './source/literal.js';
import { printFile, type Statement } from './source/source-file.js';
import { hasStatusApply, kindTypes } from './types/kind-types.js';

const DESCRIPTOR = 'ResourceDescriptor';

/** Returns the name of the constant in `resource.ts` with the descriptor. */
export const clientConstant = (resource: ResourceModel): string => {
  const name = resourceProperty(resource);
  return name === 'resource' ? 'resources' : name;
};

/**
 * Returns whether clients can send requests: not for versions that are not served, or kinds that only subresources
 * take.
 */
export const hasClient = ({ verbs }: ResourceModel, { served }: VersionModel): boolean => served && verbs.length > 0;

/** Returns the statements of `resource.ts` about the client. */
export const clientStatements = (
  resource: ResourceModel,
  version: VersionModel,
  model: Model,
): readonly Statement[] => {
  if (!hasClient(resource, version)) return [];
  const followed = followedFields(resource, version, model);
  const { object, apply, statusApply } = kindTypes(resource);
  const status = hasStatusApply(version) ? [{ name: statusApply }] : [];
  const name = descriptorName(resource);
  const start = `export const ${clientConstant(resource)}: `;
  const local = [object, apply, statusApply, name, 'ResourceVerb', 'ResourceModule', 'ServedModule'];
  const targets = targetTypes(
    followed.filter(({ target }) => target.resource !== resource),
    resourceFolder(resource, version),
    local,
  );
  const type = descriptorType(
    resource,
    version,
    LINE_WIDTH - start.length - ' = {'.length,
    followedType(followed, targets, object),
  );
  const doc = `/** \`${resource.names.plural}\` of \`${apiVersionOf(resource, version)}\` for clients. */`;
  return [
    typeImport('kindforge/client', [
      name === DESCRIPTOR ? { name } : { name: DESCRIPTOR, alias: name },
      ...(followed.length > 0 && allowsAll(resource) ? [{ name: 'ResourceVerb' }] : []),
    ]),
    typeImport('./types.js', [{ name: object }, { name: apply }, ...status]),
    ...[...targets.values()].map(({ module, name: type, alias }) =>
      typeImport(module, [alias === type ? { name: type } : { name: type, alias }]),
    ),
    `\n${doc}\n${start}${type} = ${printLiteral(definitionOf(resource, version, followed), LINE_WIDTH)};`,
  ];
};

const allowsAll = ({ verbs }: ResourceModel): boolean => verbs.length === VERBS.length;

const typeImport = (moduleSpecifier: string, namedImports: OptionalKind<ImportSpecifierStructure>[]): Statement => ({
  kind: StructureKind.ImportDeclaration,
  isTypeOnly: true,
  moduleSpecifier,
  namedImports,
});

const groupsOf = ({ group }: ResourceModel): { readonly group: string; readonly kubernetesGroup?: string } => {
  const kubernetesGroup = kubernetesNaming.rename(group);
  return { group, ...(kubernetesGroup === group ? {} : { kubernetesGroup }) };
};

const definitionOf = (resource: ResourceModel, version: VersionModel, followed: readonly FollowedField[]): Literal =>
  toLiteral({
    ...groupsOf(resource),
    version: version.name,
    plural: resource.names.plural,
    kind: resource.names.kind,
    scope: resource.scope,
    subresources: version.subresources.map(({ name }) => name),
    ...(allowsAll(resource) ? {} : { allows: [...resource.verbs] }),
    ...(followed.length === 0
      ? {}
      : { follows: Object.fromEntries(followed.map((each) => [each.name, followedLiteral(each)])) }),
  });

const followedLiteral = ({ field, namespaceField, target: { resource, version } }: FollowedField) => ({
  field,
  ...(namespaceField === undefined ? {} : { namespaceField }),
  ...groupsOf(resource),
  version: version.name,
  plural: resource.names.plural,
  kind: resource.names.kind,
  scope: resource.scope,
});

/** Returns a union of texts as a type; `never` without texts. */
const unionOf = (texts: readonly string[]): string =>
  texts.length === 0 ? 'never' : texts.map((text) => quote(text)).join(' | ');

/** Returns the type of a descriptor, under another name if the kind already has this one. */
const descriptorName = (resource: ResourceModel): string =>
  kindTypes(resource).object === DESCRIPTOR ? 'Descriptor' : DESCRIPTOR;

/** Returns the type of a descriptor, with its arguments on several lines if they do not fit on one. */
const descriptorType = (resource: ResourceModel, version: VersionModel, room: number, follows: string): string => {
  const { object, apply, statusApply } = kindTypes(resource);
  const subresources = version.subresources.map(({ name }) => name);
  const all = follows === '' ? [] : ['ResourceVerb'];
  const verbs = allowsAll(resource) ? all : [unionOf(resource.verbs)];
  const status = hasStatusApply(version) ? [statusApply] : verbs.map(() => 'unknown');
  const types = [
    object,
    apply,
    quote(resource.scope),
    unionOf(subresources),
    ...status,
    ...verbs,
    ...(follows === '' ? [] : [follows]),
  ];
  const name = descriptorName(resource);
  const line = `${name}<${types.join(', ')}>`;
  return line.length <= room ? line : `${name}<\n${types.map((type) => `  ${type}`).join(',\n')}\n>`;
};

/** Returns the type of the objects that clients can follow; empty if there are none. */
const followedType = (
  followed: readonly FollowedField[],
  targets: ReadonlyMap<ResourceModel, ImportedType>,
  own: string,
): string => {
  if (followed.length === 0) return '';
  const members = followed.map(({ name, isList, target }) => {
    const type = targets.get(target.resource)?.alias ?? own;
    return `${name}: ${type}${isList ? '[]' : ''}`;
  });
  return `{ ${members.join('; ')} }`;
};

const leavesOf = (model: Model): readonly TreePlace[] =>
  treePlaces(model, ['createClient', 'createClientFrom', 'tree']).filter(({ resource, version }) =>
    hasClient(resource, version),
  );

const leafImport = ({ resource, version, unique }: TreePlace): Statement => {
  const name = clientConstant(resource);
  return {
    kind: StructureKind.ImportDeclaration,
    moduleSpecifier: importPath('', `${resourceFolder(resource, version)}/resource.ts`),
    namedImports: [unique === name ? { name } : { name, alias: unique }],
  };
};

/** Nests the leaves by group property and version property, in their order. */
type Tree = ReadonlyMap<string, ReadonlyMap<string, readonly TreePlace[]>>;

const groupBy = <Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> => {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
};

const treeOf = (leaves: readonly TreePlace[]): Tree =>
  new Map(
    [...groupBy(leaves, ({ groupProperty }) => groupProperty)].map(([group, ofGroup]) => [
      group,
      groupBy(ofGroup, ({ versionProperty }) => versionProperty),
    ]),
  );

const treeLiteral = (tree: Tree): Literal => ({
  entries: [...tree].map(([group, versions]) => [
    group,
    {
      entries: [...versions].map(([version, leaves]) => [
        version,
        { entries: leaves.map(({ property, unique }) => [property, { code: unique }] as const) },
      ]),
    },
  ]),
});

/** Prints the type of the client in full, so that a declaration file needs no inference. */
const clientInterface = (tree: Tree): string => {
  const leaf = ({ property, unique }: TreePlace): string =>
    `      readonly ${printKey(property)}: ClientOfResource<typeof ${unique}>;`;
  const version = ([name, leaves]: readonly [string, readonly TreePlace[]]): readonly string[] => [
    `    readonly ${printKey(name)}: {`,
    ...leaves.map(leaf),
    '    };',
  ];
  const groups = [...tree].flatMap(([group, versions]) => [
    `  readonly ${printKey(group)}: {`,
    ...[...versions].flatMap(version),
    '  };',
  ]);
  return ['export interface Client {', ...groups, '}'].join('\n');
};

const clientFile = (model: Model): OutputFile => {
  const leaves = leavesOf(model);
  const tree = treeOf(leaves);
  const types = leaves.length === 0 ? ['ClientOptions'] : ['ClientOfResource', 'ClientOptions'];
  return printFile('client.ts', headerFor([]), [
    {
      kind: StructureKind.ImportDeclaration,
      moduleSpecifier: 'kindforge/client',
      namedImports: [...types.map((name) => ({ name, isTypeOnly: true })), { name: 'createClientFrom' }],
    },
    ...leaves.map(leafImport),
    `\nconst tree = ${printLiteral(treeLiteral(tree), 'const tree = '.length)} as const;`,
    '\n/** A client of this API: `api.<group>.<version>.<resource>`. */',
    clientInterface(tree),
    '\n/** Creates a client of this API. Throws if the options do not name a server. */',
    'export const createClient = (options: ClientOptions): Client => createClientFrom(tree, options);',
  ]);
};

export const clientEmitter: Emitter = {
  name: 'client',
  emitModel: ofNames((model) => [clientFile(model)]),
};
