/** Emits two functions for each resource: one defines its handlers, one mounts its verbs in an h3 app. */
import { StructureKind } from 'ts-morph';
import type { ResourceModel, VersionModel } from '../model/model.js';
import { VERBS } from '../model/subresources.js';
import type { OutputFile } from '../write/output-file.js';
import type { Emitter } from './emitter.js';
import { headerFor, homeOf, resourceFolder } from './layout.js';
import { LINE_WIDTH, quote } from './source/literal.js';
import { toCamel, toVariable } from './source/naming.js';
import { printFile, type Statement } from './source/source-file.js';
import { type LocalType, localType } from './types/kind-types.js';

/** Types of the contract that a file may import. A kind with such a name gets another name in the file. */
const CONTRACT = ['EventHandlerOptions', 'EventHandlers', 'EventServer', 'HandlersOf', 'KindHandlers'];
const DEFINING = new Set(['HandlersOf', 'KindHandlers']);

export const handlersEmitter: Emitter = {
  name: 'handlers',
  emitResource(resource) {
    const version = homeOf(resource);
    const file = version && handlersFile(resource, version);
    return file ? [file] : [];
  },
};

/** Declares a union of texts under a name; `never`, which needs no declaration, if there are none. */
const declareUnion = (
  name: string,
  doc: string,
  texts: Iterable<string>,
): { type: string; statements: Statement[] } => {
  const literals = [...new Set(texts)].map(quote);
  if (literals.length === 0) return { type: 'never', statements: [] };
  const line = `type ${name} = ${literals.join(' | ')};`;
  const lines = literals.map((text) => `\n  | ${text}`).join('');
  return { type: name, statements: [`\n/** ${doc} */`, line.length <= LINE_WIDTH ? line : `type ${name} =${lines};`] };
};

/** Returns the statements of `defineWidgetHandlers`, and the types of its columns and fields. */
const defineStatements = ({ names, versions }: ResourceModel, { object, name }: LocalType): Statement[] => {
  const columns = declareUnion(
    `${object}Column`,
    `Columns of \`${names.plural}\`.`,
    versions.flatMap((version) => version.columns.map((column) => column.name)),
  );
  const fields = declareUnion(
    `${object}Field`,
    `Selectable fields of \`${names.plural}\`.`,
    versions.flatMap(({ selectableFields }) => selectableFields),
  );
  const types = [name, columns.type, fields.type];
  // Leaves out trailing type parameters that have their default `never`.
  while (types.at(-1) === 'never') types.pop();
  return [
    ...columns.statements,
    ...fields.statements,
    `\n/** Defines the behaviour of \`${names.plural}\` beyond their schema, for the \`handlers\` of a server. */`,
    wrapSignature(`define${object}Handlers`, [`handlers: HandlersOf<${types.join(', ')}>`], 'KindHandlers'),
    '  return ofKind(resource, handlers);\n}',
  ];
};

/** Returns the start of a function, with a line for each parameter if one line is too short. */
const wrapSignature = (name: string, parameters: readonly string[], result: string): string => {
  const line = `export function ${name}(${parameters.join(', ')}): ${result} {`;
  if (line.length <= LINE_WIDTH) return line;
  return `export function ${name}(\n${parameters.map((each) => `  ${each},\n`).join('')}): ${result} {`;
};

/** Returns the statements of `widgetHandlers`. */
const mountStatements = ({ names, verbs }: ResourceModel): Statement[] => {
  const offered = verbs.flatMap((verb) => (verb === 'patch' ? ['apply', verb] : [verb])).sort();
  const result = `Pick<EventHandlers, ${offered.map(quote).join(' | ')}>`;
  return [
    `\n/** Returns h3 handlers for the verbs of \`${names.plural}\`, with authorization, admission and audit. */`,
    wrapSignature(
      `${toVariable(toCamel(names.kind))}Handlers`,
      ['server: EventServer', 'options?: EventHandlerOptions'],
      verbs.length === VERBS.length ? 'EventHandlers' : result,
    ),
    '  return server.eventHandlers(resource, options);\n}',
  ];
};

const handlersFile = (resource: ResourceModel, version: VersionModel): OutputFile | undefined => {
  const defines = resource.virtual === undefined;
  const mounts = version.served && resource.verbs.length > 0;
  if (!defines && !mounts) return undefined;
  const type = localType(resource, CONTRACT);
  const used = CONTRACT.filter((name) => (DEFINING.has(name) ? defines : mounts));
  return printFile(`${resourceFolder(resource, version)}/handlers.ts`, headerFor([resource.source]), [
    importOf(
      'kindforge/contract',
      used.map((name) => ({ name })),
      true,
    ),
    // This import is separate from the types: together they would take eight lines.
    ...(defines ? [importOf('kindforge/contract', [{ name: 'ofKind' }])] : []),
    importOf('./resource.js', [{ name: 'resource' }]),
    ...(defines ? [importOf('./types.js', [type.specifier], true)] : []),
    ...(defines ? defineStatements(resource, type) : []),
    ...(mounts ? mountStatements(resource) : []),
  ]);
};

const importOf = (
  moduleSpecifier: string,
  namedImports: { name: string; alias?: string }[],
  isTypeOnly = false,
): Statement => ({ kind: StructureKind.ImportDeclaration, isTypeOnly, moduleSpecifier, namedImports });
