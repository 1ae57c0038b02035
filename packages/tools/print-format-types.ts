/** Prints the types of the definition format from the JSON Schemas in `schemas/meta`: `npm run generate:format`. */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { FORMAT_TYPES, formats, formatTypesHeader, readFormat } from '../../generator/commands/format-types.js';
import { wrap } from '../../generator/emit/source/jsdoc.js';
import { LINE_WIDTH } from '../../generator/emit/source/literal.js';

/** Returns the text of the file. */
export async function printFormatTypes(): Promise<string> {
  const types: string[] = [];
  for (const [name, file] of Object.entries(formats)) {
    const { title: _, definitions = {}, ...schema }: JSONSchema = JSON.parse(readFormat(file));
    const parts = { ...definitions, [name]: schema };
    for (const [part, value] of Object.entries(parts)) {
      const { title, ...rest } = prepare(value);
      types.push(await compile(rest, title ?? pascal(part), options));
    }
  }
  return `${formatTypesHeader()}\n${wrapComments(types.join('\n'))}`;
}

/** Breaks long lines of comments. The printer does not do this. */
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

/** Returns schemas in the terms of the printer: references by name, conditions as choices, any value as `unknown`. */
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

/** Returns the type of a reference: the schema itself, one of its definitions, or another file. */
function nameOf(reference: string): string {
  if (reference === '#') return 'SchemaNode';
  const file = Object.entries(formats).find(([, each]) => each === reference);
  return file?.[0] ?? pascal(reference.split('/').at(-1) ?? '');
}

const pascal = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(FORMAT_TYPES, await printFormatTypes());
