/** Emits the typed client: one constant per resource version, and the tree of all of them. */
import { StructureKind } from 'ts-morph';
import type { Emitter, Model, OutputFile, ResourceModel, VersionModel } from '../model.js';
import { kindTypes } from './kind-types.js';
import { apiVersionOf, headerFor, importPath, resourceFolder } from './layout.js';
import { type Literal, printLiteral, toLiteral } from './literal.js';
import { createNameScope } from './name-scope.js';
import { toPascal } from './naming.js';
import { namesOfResources, remember } from './remember.js';
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
    resource.versions
      .filter(({ served }) => served)
      .map((served): Leaf => {
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

/** Leaves under one property of the tree, by a key of theirs. */
const branches = (
  leaves: readonly Leaf[],
  keyOf: (leaf: Leaf) => string,
  below: (leaves: readonly Leaf[]) => Literal,
): Literal => {
  const keys = [...new Set(leaves.map(keyOf))];
  return { entries: keys.map((key) => [key, below(leaves.filter((leaf) => keyOf(leaf) === key))] as const) };
};

const treeLiteral = (leaves: readonly Leaf[]): Literal =>
  branches(
    leaves,
    ({ group }) => group,
    (ofGroup) =>
      branches(
        ofGroup,
        ({ version }) => version,
        (ofVersion) => ({
          entries: ofVersion.map(({ resource, local }) => [resource, { code: local }] as const),
        }),
      ),
  );

const clientFile = (model: Model): OutputFile => {
  const leaves = leavesOf(model);
  return printFile('client.ts', headerFor([]), [
    {
      kind: StructureKind.ImportDeclaration,
      moduleSpecifier: 'kindforge/client',
      namedImports: [{ name: 'ClientOptions', isTypeOnly: true }, { name: 'createClientFrom' }],
    },
    ...leaves.map(({ statement }) => statement),
    `\nconst tree = ${printLiteral(treeLiteral(leaves), 'const tree = '.length)} as const;`,
    '\n/** A client of this API: `api.<group>.<version>.<resource>`. */',
    'export const createClient = (options: ClientOptions) => createClientFrom(tree, options);',
    '\nexport type Client = ReturnType<typeof createClient>;',
  ]);
};

export const clientEmitter: Emitter = {
  name: 'client',
  emitResource: (resource) => resource.versions.map((version) => resourceClient(resource, version)),
  emitModel: remember(namesOfResources, (model) => [clientFile(model)]),
};
