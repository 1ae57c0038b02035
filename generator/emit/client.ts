/** Emits the typed client: one constant per resource version, and the tree of all of them. */
import { StructureKind } from 'ts-morph';
import type { Emitter, Model, OutputFile, ResourceModel, VersionModel } from '../model.js';
import { kindTypes } from './kind-types.js';
import { apiVersionOf, headerFor, importPath, resourceFolder } from './layout.js';
import { type Literal, printLiteral, record, toLiteral } from './literal.js';
import { createNameScope } from './name-scope.js';
import { toPascal } from './naming.js';
import { groupProperties, resourceProperty, versionProperty } from './resource-names.js';
import { printFile, type Statement } from './source-file.js';

const definitionOf = (resource: ResourceModel, version: VersionModel): Literal =>
  toLiteral({
    group: resource.group,
    version: version.name,
    plural: resource.names.plural,
    kind: resource.names.kind,
    scope: resource.scope,
    subresources: version.subresources.map(({ name }) => name),
  });

const resourceClient = (resource: ResourceModel, version: VersionModel): OutputFile => {
  const folder = resourceFolder(resource, version);
  const { object, apply } = kindTypes(resource);
  const start = `export const ${resourceProperty(resource)} = /* @__PURE__ */ defineResource<${object}, ${apply}>()(`;
  const doc = `/** Requests for \`${resource.names.plural}\` of \`${apiVersionOf(resource, version)}\`. */`;
  return printFile(`${folder}/client.ts`, headerFor([resource.source]), [
    { kind: StructureKind.ImportDeclaration, moduleSpecifier: 'kindforge/client', namedImports: ['defineResource'] },
    {
      kind: StructureKind.ImportDeclaration,
      isTypeOnly: true,
      moduleSpecifier: './types.js',
      namedImports: [object, apply],
    },
    `\n${doc}\n${start}${printLiteral(definitionOf(resource, version), start.length)} as const);`,
  ]);
};

/** A resource's place in the tree. */
interface Leaf {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** The name under which its constant is imported. */
  readonly local: string;
  readonly statement: Statement;
}

/** Versions that are not served have no client: there is nothing to ask. */
const leavesOf = (model: Model): readonly Leaf[] => {
  const groups = groupProperties(model);
  const scope = createNameScope(['createClient', 'createClientFrom', 'tree']);
  return model.resources.flatMap((resource) =>
    resource.versions.filter(({ served }) => served).map((served): Leaf => {
      const name = resourceProperty(resource);
      const group = groups.get(resource.group) ?? resource.group;
      const version = versionProperty(served.name);
      const local = scope.choose([name, group + toPascal(version) + toPascal(name)]);
      const moduleSpecifier = importPath('', `${resourceFolder(resource, served)}/client.ts`);
      const namedImports = [local === name ? { name } : { name, alias: local }];
      const statement: Statement = { kind: StructureKind.ImportDeclaration, moduleSpecifier, namedImports };
      return { group, version, resource: name, local, statement };
    }),
  );
};

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
};

const branches = (leaves: readonly Leaf[], keyOf: (leaf: Leaf) => string, below: (leaves: readonly Leaf[]) => Literal): Literal =>
  record(Object.fromEntries([...groupBy(leaves, keyOf)].map(([key, members]) => [key, below(members)])));
