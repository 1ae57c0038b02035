/** Prints what a schema says of a kind, or of one of its fields. */
import { type Fields, fieldsOf, listOf, textOf } from '../objects/values.js';
import { fieldsWithin, type KindName, type SchemaPart, type Schemas, typeOf } from './schema.js';

const width = 100;

/** Lines for people. */
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

/** All fields below a part, a line each. Types that hold themselves are not gone into again. */
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

/** The rules for values, a line each. */
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

/** Lines of words, no longer than most terminals are wide. */
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
