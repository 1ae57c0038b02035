/** Emits the facts about each resource version that servers and clients need before they get an object. */
import { StructureKind } from 'ts-morph';
import { printRules } from '../../runtime/cel/index.js';
import { describeResource } from '../model/describe.js';
import type { Model, ResourceModel, VersionModel } from '../model/model.js';
import type { OutputFile } from '../write/output-file.js';
import { clientStatements } from './client.js';
import type { Emitter } from './emitter.js';
import { apiVersionOf, headerFor, resourceFolder } from './layout.js';
import { referencesKey } from './references.js';
import { type Literal, printLiteral, toLiteral } from './source/literal.js';
import { printFile, type Statement } from './source/source-file.js';
import { kindTypes } from './types/kind-types.js';

const printed = new WeakMap<VersionModel, { readonly text: string | undefined }>();

/** Returns whether there is a `rules.ts` beside the module. */
export const hasRules = (version: VersionModel): boolean => rulesText(version) !== undefined;

const rulesText = (version: VersionModel): string | undefined => {
  const known = printed.get(version) ?? { text: printRules(version.schema) };
  printed.set(version, known);
  return known.text;
};

export const rulesEmitter: Emitter = {
  name: 'rules',
  emitResource: (resource) =>
    resource.versions.flatMap((version) => {
      const text = rulesText(version);
      const path = `${resourceFolder(resource, version)}/rules.ts`;
      return text === undefined ? [] : [{ path, content: `${headerFor([resource.source])}\n\n${text}` }];
    }),
};

const importTypes = (module: string, names: readonly string[]): Statement => ({
  kind: StructureKind.ImportDeclaration,
  isTypeOnly: true,
  moduleSpecifier: module,
  namedImports: [...names],
});

/** Returns whether there is a `conversion.ts` beside the module. */
const hasConversion = ({ conversion }: VersionModel): boolean => (conversion?.steps.length ?? 0) > 0;

/** Returns code that loads the rest of a version when the resource is first used. */
const loader = (version: VersionModel): string => {
  const others = [...(hasRules(version) ? ['rules'] : []), ...(hasConversion(version) ? ['conversion'] : [])];
  if (others.length === 0) return "() => import('./schema.js')";
  const parts = ['schema', ...others].map((name) => `...(await import('./${name}.js'))`);
  return `async () => ({ ${parts.join(', ')} })`;
};

const moduleLiteral = (resource: ResourceModel, version: VersionModel): Literal => ({
  entries: [
    ...Object.entries(describeResource(resource, version)).map(([key, value]) => [key, toLiteral(value)] as const),
    ['code', { code: loader(version) }],
  ],
});

const resourceFile = (resource: ResourceModel, version: VersionModel, model: Model): OutputFile => {
  const doc = `/** \`${resource.names.plural}\` of \`${apiVersionOf(resource, version)}\` for servers. */`;
  // The kind may have the name of this type.
  const isTaken = kindTypes(resource).object === MODULE;
  const start = `export const resource: ${isTaken ? 'ServedModule' : MODULE} = `;
  return printFile(`${resourceFolder(resource, version)}/resource.ts`, headerFor([resource.source]), [
    importTypes('kindforge/contract', [isTaken ? `${MODULE} as ServedModule` : MODULE]),
    ...clientStatements(resource, version, model),
    `\n${doc}\n${start}${printLiteral(moduleLiteral(resource, version), start.length)};`,
  ]);
};

const MODULE = 'ResourceModule';

export const resourceEmitter: Emitter = {
  name: 'resource',
  emitResource: (resource, model) => resource.versions.map((version) => resourceFile(resource, version, model)),
  dependsOn: referencesKey,
};
