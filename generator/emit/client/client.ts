/** Emits the typed client: one constant per resource version, and the tree of all of them. */
import { StructureKind } from 'ts-morph';
import { kubernetesNaming } from '../../../runtime/objects/naming.js';
import type { Model, ResourceModel, VersionModel } from '../../model/model.js';
import { VERBS } from '../../model/verbs.js';
import type { OutputFile } from '../../write/output-file.js';
import type { Emitter } from '../emitter.js';
import { apiVersionOf, headerFor, importPath, resourceFolder } from '../layout.js';
import { namesOfResources, remember } from '../remember.js';
import { resourceProperty, type TreePlace, treePlaces } from '../resource-names.js';
import { LINE_WIDTH, type Literal, printLiteral, toLiteral } from '../source/literal.js';
import { printFile, type Statement } from '../source/source-file.js';
import { kindTypes } from '../types/kind-types.js';

const definitionOf = (resource: ResourceModel, version: VersionModel): Literal => {
  const kubernetesGroup = kubernetesNaming.rename(resource.group);
  return toLiteral({
    group: resource.group,
    ...(kubernetesGroup === resource.group ? {} : { kubernetesGroup }),
    version: version.name,
    plural: resource.names.plural,
    kind: resource.names.kind,
    scope: resource.scope,
    subresources: version.subresources.map(({ name }) => name),
    ...(resource.verbs.length === VERBS.length ? {} : { allows: [...resource.verbs] }),
  });
};

/** A call with type arguments, up to its opening bracket; on several lines where one is too short. */
const startOf = (call: string, types: readonly string[]): string => {
  const line = `${call}<${types.join(', ')}>()(`;
  return line.length < LINE_WIDTH ? line : `${call}<\n${types.map((type) => `  ${type}`).join(',\n')}\n>()(`;
};

const resourceClient = (resource: ResourceModel, version: VersionModel): OutputFile => {
  const folder = resourceFolder(resource, version);
  const { object, apply } = kindTypes(resource);
  const start = startOf(`export const ${resourceProperty(resource)} = /* @__PURE__ */ defineResource`, [object, apply]);
  const doc = `/** Requests for \`${resource.names.plural}\` of \`${apiVersionOf(resource, version)}\`. */`;
  return printFile(`${folder}/client.ts`, headerFor([resource.source]), [
    { kind: StructureKind.ImportDeclaration, moduleSpecifier: 'kindforge/client', namedImports: ['defineResource'] },
    {
      kind: StructureKind.ImportDeclaration,
      isTypeOnly: true,
      moduleSpecifier: './types.js',
      namedImports: [object, apply],
    },
    `\n${doc}\n${start}${printLiteral(definitionOf(resource, version), start.length - start.lastIndexOf('\n') - 1)} as const);`,
  ]);
};

/** Versions that are not served, and kinds that only subresources take, have no client: there is nothing to ask. */
const leavesOf = (model: Model): readonly TreePlace[] =>
  treePlaces(model, ['createClient', 'createClientFrom', 'tree']).filter(
    ({ resource, version }) => version.served && resource.verbs.length > 0,
  );

const leafImport = ({ resource, version, unique }: TreePlace): Statement => {
  const name = resourceProperty(resource);
  return {
    kind: StructureKind.ImportDeclaration,
    moduleSpecifier: importPath('', `${resourceFolder(resource, version)}/client.ts`),
    namedImports: [unique === name ? { name } : { name, alias: unique }],
  };
};

/** Leaves under one property of the tree, by a key of theirs. */
const branches = (
  leaves: readonly TreePlace[],
  keyOf: (leaf: TreePlace) => string,
  below: (leaves: readonly TreePlace[]) => Literal,
): Literal => {
  const keys = [...new Set(leaves.map(keyOf))];
  return { entries: keys.map((key) => [key, below(leaves.filter((leaf) => keyOf(leaf) === key))] as const) };
};

const treeLiteral = (leaves: readonly TreePlace[]): Literal =>
  branches(
    leaves,
    ({ groupProperty }) => groupProperty,
    (ofGroup) =>
      branches(
        ofGroup,
        ({ versionProperty }) => versionProperty,
        (ofVersion) => ({
          entries: ofVersion.map(({ property, unique }) => [property, { code: unique }] as const),
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
    ...leaves.map(leafImport),
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
