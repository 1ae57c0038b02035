/** Emits the module of each resource version: what the server needs to know of it. */
import { StructureKind } from 'ts-morph';
import { describeResource } from '../model/describe.js';
import type { Model, ResourceModel, VersionModel } from '../model/model.js';
import type { OutputFile } from '../write/output-file.js';
import type { Emitter } from './emitter.js';
import { hasRules } from './functions/rules.js';
import { apiVersionOf, headerFor, resourceFolder } from './layout.js';
import { type Literal, printLiteral, quote, toLiteral } from './source/literal.js';
import { printFile, type Statement } from './source/source-file.js';
import { kindTypes } from './types/kind-types.js';

const importOf = (module: string, names: readonly string[], isTypeOnly = false): Statement => ({
  kind: StructureKind.ImportDeclaration,
  isTypeOnly,
  moduleSpecifier: module,
  namedImports: [...names],
});

/** Whether there is a `protobuf.ts` beside the module. */
const hasProtobuf = (resource: ResourceModel, model: Model): boolean =>
  resource.decoding === 'typed' && model.protobuf !== undefined;

/** Whether there is a `conversion.ts` beside the module. */
const hasConversion = ({ conversion }: VersionModel): boolean => (conversion?.steps.length ?? 0) > 0;

const moduleLiteral = (resource: ResourceModel, version: VersionModel, model: Model): Literal => ({
  entries: [
    ...Object.entries(describeResource(resource, version)).map(([key, value]) => [key, toLiteral(value)] as const),
    ['schema', { code: 'schema' }],
    ['functions', { code: 'functions' }],
    ...(hasRules(version) ? [['rules', { code: 'rules' }] as const] : []),
    ...(hasConversion(version) ? [['conversion', { code: 'conversion' }] as const] : []),
    ...(hasProtobuf(resource, model) ? [['protobuf', { code: 'protobuf' }] as const] : []),
  ],
});

const resourceModule = (resource: ResourceModel, version: VersionModel, model: Model): OutputFile => {
  const folder = resourceFolder(resource, version);
  const doc = `/** \`${resource.names.plural}\` of \`${apiVersionOf(resource, version)}\`. */`;
  const start = 'export const resource: ResourceModule = ';
  const { object } = kindTypes(resource);
  const { group, names } = resource;
  const kind = quote(group === '' ? names.kind : `${group}/${names.kind}`);
  return printFile(`${folder}/resource.ts`, headerFor([resource.source]), [
    importOf('kindforge/contract', ['Handlers', 'ResourceModule', 'Strategy'], true),
    importOf('kindforge/schema-support', ['bindHandlers']),
    ...(hasConversion(version) ? [importOf('./conversion.js', ['conversion'])] : []),
    importOf('./functions.js', ['functions']),
    ...(hasProtobuf(resource, model) ? [importOf('./protobuf.js', ['protobuf'])] : []),
    ...(hasRules(version) ? [importOf('./rules.js', ['rules'])] : []),
    importOf('./schema.js', ['schema']),
    importOf('./types.js', [object], true),
    `\n${doc}\n${start}${printLiteral(moduleLiteral(resource, version, model), start.length)};`,
    `\n/** The strategy of the kind, made of hooks that are typed by it: what no schema can say. */\nexport const defineStrategy = (handlers: Handlers<${object}>): Strategy => bindHandlers(${kind}, handlers);`,
  ]);
};

export const resourceEmitter: Emitter = {
  name: 'resource',
  emitResource: (resource, model) => resource.versions.map((version) => resourceModule(resource, version, model)),
};
