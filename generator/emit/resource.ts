/** Emits the module of each resource version: its description, and the file that its code is loaded by. */
import { StructureKind } from 'ts-morph';
import { describeResource } from '../model/describe.js';
import type { Model, ResourceModel, VersionModel } from '../model/model.js';
import type { OutputFile } from '../write/output-file.js';
import type { Emitter } from './emitter.js';
import { hasRules } from './functions/rules.js';
import { apiVersionOf, headerFor, resourceFolder } from './layout.js';
import { type Literal, printLiteral, toLiteral } from './source/literal.js';
import { printFile, type Statement } from './source/source-file.js';

const importTypes = (module: string, names: readonly string[]): Statement => ({
  kind: StructureKind.ImportDeclaration,
  isTypeOnly: true,
  moduleSpecifier: module,
  namedImports: [...names],
});

/** Whether there is a `protobuf.ts` beside the module. */
const hasProtobuf = (resource: ResourceModel, model: Model): boolean =>
  resource.decoding === 'typed' && model.protobuf !== undefined;

/** Whether there is a `conversion.ts` beside the module. */
const hasConversion = ({ conversion }: VersionModel): boolean => (conversion?.steps.length ?? 0) > 0;

const moduleLiteral = (resource: ResourceModel, version: VersionModel): Literal => ({
  entries: [
    ...Object.entries(describeResource(resource, version)).map(([key, value]) => [key, toLiteral(value)] as const),
    ['code', { code: "() => import('./code.js')" }],
  ],
});

const resourceModule = (resource: ResourceModel, version: VersionModel): OutputFile => {
  const doc = `/** \`${resource.names.plural}\` of \`${apiVersionOf(resource, version)}\`. */`;
  const start = 'export const resource: ResourceModule = ';
  return printFile(`${resourceFolder(resource, version)}/resource.ts`, headerFor([resource.source]), [
    importTypes('kindforge/contract', ['ResourceModule']),
    `\n${doc}\n${start}${printLiteral(moduleLiteral(resource, version), start.length)};`,
  ]);
};

/** The file that the code of a version is loaded by: everything that requests need beside the description. */
const resourceCode = (resource: ResourceModel, version: VersionModel, model: Model): OutputFile => {
  const parts = [
    ...(hasConversion(version) ? ['conversion'] : []),
    ...(hasProtobuf(resource, model) ? ['protobuf'] : []),
    ...(hasRules(version) ? ['rules'] : []),
    'schema',
  ];
  const exports = parts.map(
    (part): Statement => ({
      kind: StructureKind.ExportDeclaration,
      moduleSpecifier: `./${part}.js`,
      namedExports: [part],
    }),
  );
  return printFile(`${resourceFolder(resource, version)}/code.ts`, headerFor([resource.source]), exports);
};

export const resourceEmitter: Emitter = {
  name: 'resource',
  emitResource: (resource, model) =>
    resource.versions.flatMap((version) => [resourceModule(resource, version), resourceCode(resource, version, model)]),
};
