/** The job of `kindforge explain`. */

import { discover } from '../../client/index.js';
import { loadDefinitions } from '../../generator/check/load-definitions.js';
import { emitters, type Model, printDiagnostic } from '../../generator/index.js';
import { textOf } from '../../runtime/objects/guards.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import { exitCodes } from '../exit-codes.js';
import {
  fieldsWithin,
  type KindName,
  partAt,
  type SchemaPart,
  type Schemas,
  schemaOfKind,
  typeOf,
} from './explain-schema.js';
import { Refusal, reportFailure } from './failure.js';
import { toJson } from './print-objects.js';
import { type Fields, fieldsOf, listOf, type Printing, standardPrinting } from './printing.js';
import { senderOf } from './requests.js';
import { findResource } from './resources.js';
import { runCommand } from './run-command.js';
import type { ServerFlags } from './server-flags.js';
import type { Target } from './target.js';

export interface ExplainFlags extends ServerFlags {
  readonly schemas?: string;
  readonly apiVersion?: string;
  readonly recursive?: boolean;
  readonly output: 'text' | 'json';
}

/** Sets the exit code of the process. */
export async function runExplain(path: string, flags: ExplainFlags): Promise<void> {
  const [resource = '', ...fields] = path.split('.');
  const { schemas, apiVersion } = flags;
  if (schemas === undefined) {
    return runCommand(flags, { verb: 'get', resource }, async ({ target, printing }) => {
      print(await kindOfServer(target, resource, apiVersion), fields, flags, printing);
      return true;
    });
  }
  try {
    print(kindOfFolder(schemas, resource, apiVersion), fields, flags, standardPrinting);
  } catch (error) {
    const { ending, lines } = reportFailure(error);
    for (const line of lines) standardPrinting.error(line);
    process.exitCode = exitCodes[ending];
  }
}

function print(
  { kind, schemas }: KnownKind,
  fields: readonly string[],
  { recursive, output }: ExplainFlags,
  { out }: Printing,
): void {
  const part = partAt(schemas, schemaOfKind(schemas, kind), fields);
  if (output === 'json') {
    out(toJson({ ...kind, field: part.path, required: part.required, schema: part.schema }));
    return;
  }
  const lines = explanation(schemas, kind, part);
  const told = recursive ? [...lines.slice(0, lines.indexOf('FIELDS:') + 1), ...outline(schemas, part)] : lines;
  out(told.join('\n').trimEnd());
}

/** A kind, and the schemas that its schema refers to. */
interface KnownKind {
  readonly kind: KindName;
  readonly schemas: Schemas;
}

/** Finds a kind in the server's OpenAPI documents. `apiVersion` is as in `apps/v1`. Default: the preferred version. */
export async function kindOfServer(target: Target, typed: string, apiVersion: string | undefined): Promise<KnownKind> {
  const found = findResource(typed, await discover(target.client));
  const { group, version } = apiVersion === undefined ? found : splitApiVersion(apiVersion);
  const { read } = senderOf(target.client, () => {});
  const paths = fieldsOf(fieldsOf(await read({ method: 'GET', path: '/openapi/v3' })).paths);
  const name = group === '' ? `api/${version}` : `apis/${group}/${version}`;
  const url = textOf(fieldsOf(paths[name]).serverRelativeURL);
  if (url === '') throw new Refusal(`the server describes no fields of ${apiVersion ?? name}`);
  return { kind: { group, version, kind: found.kind }, schemas: schemasOf(await read({ method: 'GET', path: url })) };
}

/** Reads the schema from a folder of definitions. Throws a `Refusal` if they have mistakes. */
export function kindOfFolder(folder: string, typed: string, apiVersion: string | undefined): KnownKind {
  const { model, diagnostics } = loadDefinitions(folder);
  const errors = diagnostics.filter(({ severity }) => severity !== 'warning');
  const lower = typed.toLowerCase();
  const words = (one: Model['resources'][number]): readonly string[] => [
    one.names.plural,
    one.names.singular,
    one.names.kind.toLowerCase(),
    ...one.names.shortNames,
  ];
  const found = model.resources.find((resource) => words(resource).includes(lower));
  if (!found) {
    const [first] = errors;
    if (first)
      throw new Refusal(`the definitions in ${folder} have mistakes\n${errors.map(printDiagnostic).join('\n')}`);
    throw new Refusal(
      `${folder} defines no resource ${typed}`,
      didYouMean(typed, model.resources.flatMap(words)) ?? 'Without --schemas, a running server is asked',
    );
  }
  const served = found.versions.filter((version) => version.served);
  const wanted = apiVersion === undefined ? undefined : splitApiVersion(apiVersion).version;
  const version = served.find(({ name }) => wanted === undefined || name === wanted);
  if (!version)
    throw new Refusal(`${typed} has no version ${wanted}`, `it has ${served.map(({ name }) => name).join(', ')}`);
  return {
    kind: { group: found.group, version: version.name, kind: found.names.kind },
    schemas: Object.assign({}, ...documentsOf(model).map(schemasOf)),
  };
}

/** Returns the OpenAPI 3 documents that the generator would write. */
function documentsOf(model: Model): readonly unknown[] {
  const files = emitters.find(({ name }) => name === 'openapi')?.emitModel?.(model) ?? [];
  return files
    .filter(({ path }) => path.includes('/v3/'))
    .map(({ content }): unknown =>
      JSON.parse(typeof content === 'string' ? content : new TextDecoder().decode(content)),
    );
}

const schemasOf = (document: unknown): Schemas => fieldsOf(fieldsOf(fieldsOf(document).components).schemas);

function splitApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return { group, version };
}

const width = 100;

/** Prints the explanation as lines for people. */
export function explanation(schemas: Schemas, { group, version, kind }: KindName, part: SchemaPart): string[] {
  const { schema, path } = part;
  const fields = fieldsWithin(schemas, part);
  const description = textOf(schema.description);
  const rules = rulesOf(schema);
  return [
    `KIND:     ${kind}`,
    `VERSION:  ${group === '' ? version : `${group}/${version}`}`,
    ...(path === '' ? [] : [`FIELD:    ${path} <${typeOf(schemas, schema)}>${part.required ? ' required' : ''}`]),
    '',
    ...(description === '' ? [] : ['DESCRIPTION:', ...wrap(description, '  '), '']),
    ...(rules.length === 0 ? [] : ['RULES:', ...rules.map((rule) => `  ${rule}`), '']),
    ...(fields.length === 0 ? [] : ['FIELDS:', ...fields.flatMap(([name, field]) => fieldLines(schemas, name, field))]),
  ];
}

function fieldLines(schemas: Schemas, name: string, { schema, required }: SchemaPart): string[] {
  const rules = rulesOf(schema);
  return [
    `  ${name} <${typeOf(schemas, schema)}>${required ? ' required' : ''}`,
    ...rules.map((rule) => `    ${rule}`),
    ...wrap(textOf(schema.description), '    '),
    '',
  ];
}

/** Prints all fields below a part, a line each. Does not enter a recursive type twice. */
export function outline(schemas: Schemas, part: SchemaPart, indent = '  ', above: readonly Fields[] = []): string[] {
  return fieldsWithin(schemas, part).flatMap(([name, field]) => {
    const line = `${indent}${name} <${typeOf(schemas, field.schema)}>${field.required ? ' required' : ''}`;
    const known = above.some(({ description, properties }) => {
      const { schema } = field;
      return properties !== undefined && properties === schema.properties && description === schema.description;
    });
    return known ? [line] : [line, ...outline(schemas, field, `${indent}  `, [...above, field.schema])];
  });
}

/** Returns the rules for values, a line each. */
function rulesOf(schema: Fields): string[] {
  const json = (value: unknown): string => JSON.stringify(value);
  const { enum: words, default: byDefault, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  return [
    ...(words === undefined ? [] : [`one of: ${listOf(words).map(String).join(', ')}`]),
    ...(byDefault === undefined || json(byDefault) === '{}' ? [] : [`default: ${json(byDefault)}`]),
    ...range('value', minimum, maximum),
    ...range('length', minLength, maxLength),
    ...range('items', minItems, maxItems),
    ...(schema.pattern === undefined ? [] : [`matches: ${textOf(schema.pattern)}`]),
    ...(schema.format === undefined ? [] : [`format: ${textOf(schema.format)}`]),
    ...listOf(schema['x-kubernetes-validations'])
      .map(fieldsOf)
      .map(({ rule, message }) => `rule: ${textOf(message) || textOf(rule)}`),
  ];
}

function range(what: string, least: unknown, most: unknown): string[] {
  if (least === undefined && most === undefined) return [];
  if (least === undefined) return [`${what}: at most ${String(most)}`];
  return [most === undefined ? `${what}: at least ${String(least)}` : `${what}: ${String(least)} to ${String(most)}`];
}

/** Wraps words into lines that fit most terminals. */
function wrap(text: string, indent: string): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    for (const word of paragraph.split(/\s+/).filter((one) => one !== '')) {
      const last = lines.at(-1);
      if (last === undefined || indent.length + last.length + word.length >= width) lines.push(word);
      else lines[lines.length - 1] = `${last} ${word}`;
    }
    return lines.map((line) => indent + line);
  });
}
