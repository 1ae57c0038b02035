/** Prints the types of the definition format from the JSON Schemas in `schemas/meta`. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JSONSchema } from 'json-schema-to-typescript';
import { wrap } from '../emit/source/jsdoc.js';
import { LINE_WIDTH } from '../emit/source/literal.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The file that holds the types. */
export const FORMAT_TYPES = join(root, 'generator/load/definition-format.ts');

/** Each schema with the name of its type. */
const formats = {
  SchemaNode: 'schema-node.schema.json',
  TypeLibrary: 'type-library.schema.json',
  ResourceDefinition: 'resource-definition.schema.json',
};

/** The text of the file. */
export async function printFormatTypes(): Promise<string> {
  const { compile } = await import('json-schema-to-typescript');
  const types: string[] = [];
  for (const [name, file] of Object.entries(formats)) {
    const { title: _, definitions = {}, ...schema }: JSONSchema = JSON.parse(readFormat(file));
    const parts = { ...definitions, [name]: schema };
    for (const [part, value] of Object.entries(parts)) {
      const { title, ...rest } = prepare(value);
      types.push(await compile(rest, title ?? pascal(part), options));
    }
  }
  return `${headerOf(formatHash())}\n${wrapComments(types.join('\n'))}`;
}

/** The printer leaves lines of comments as long as they are. */
const wrapComments = (text: string): string =>
  text.replace(/^( *\* )(.*)$/gm, (_line, margin: string, words: string) =>
    wrap(words, LINE_WIDTH - margin.length)
      .map((line) => margin + line)
      .join('\n'),
  );

const options = {
  bannerComment: '',
  additionalProperties: false,
  ignoreMinAndMaxItems: true,
  style: { singleQuote: true, printWidth: 120, trailingComma: 'all' },
} as const;

const headerOf = (hash: string): string =>
  `/** The definition format as types. Printed by \`npm run generate\` from schemas/meta (${hash}); do not edit. */\n`;

const readFormat = (file: string): string => readFileSync(join(root, 'schemas/meta', file), 'utf8');

function formatHash(): string {
  const hash = createHash('sha256');
  for (const file of Object.values(formats)) hash.update(readFormat(file));
  return hash.digest('hex').slice(0, 16);
}

/** Schemas in the terms that the printer knows: references by name, conditions as choices, anything as `unknown`. */
function prepare(schema: unknown): JSONSchema {
  if (typeof schema !== 'object' || schema === null) return {};
  const { $ref, if: condition, then, else: otherwise, ...rest }: JSONSchema = schema;
  if ($ref !== undefined) return { ...describedBy(rest), tsType: nameOf($ref) };
  if (condition !== undefined) {
    return { ...prepareParts(rest), anyOf: [prepare({ ...condition, ...then }), prepare(otherwise)] };
  }
  const saysNothing = Object.keys(rest).every((key) => key === 'description');
  return saysNothing ? { ...rest, tsType: 'unknown' } : prepareParts(rest);
}

function prepareParts(schema: JSONSchema): JSONSchema {
  const { properties, additionalProperties, items, ...rest } = schema;
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: mapValues(properties, prepare) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: prepare(additionalProperties) }
      : { additionalProperties }),
    ...(items === undefined ? {} : { items: prepare(items) }),
  };
}

const describedBy = ({ description }: JSONSchema): JSONSchema => (description === undefined ? {} : { description });

const mapValues = <T, U>(values: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));

/** The type that a reference names: the schema itself, one of its definitions, or another file. */
function nameOf(reference: string): string {
  if (reference === '#') return 'SchemaNode';
  const file = Object.entries(formats).find(([, each]) => each === reference);
  return file?.[0] ?? pascal(reference.split('/').at(-1) ?? '');
}

const pascal = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Prints the file again where the schemas have changed since. */
export async function bringFormatTypesUpToDate(): Promise<void> {
  const present = readFileSync(FORMAT_TYPES, 'utf8');
  if (!present.startsWith(headerOf(formatHash()))) writeFileSync(FORMAT_TYPES, await printFormatTypes());
}
