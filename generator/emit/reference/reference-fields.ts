/** The fields of a schema as rows of a table in Markdown. */
import type { Schema } from '../../../runtime/contract/index.js';
import { encodeOpenApiJson } from '../../../runtime/schema/openapi/index.js';
import { parseTypeName } from '../shared-types.js';

/** Where the page of a library lies, seen from the page that is written. */
export type LinkTo = (library: string) => string;

/** Head of a table of fields. */
export const fieldsHead: readonly string[] = ['| field | type | what it says |', '| --- | --- | --- |'];

/** Objects within objects deeper than this are not told field by field. */
const DEEPEST = 12;

/** The parts of a kind, whose fields are told where the kind is, whatever their type is called. */
const parts: ReadonlySet<string> = new Set(['spec', 'status']);

/**
 * A row for each field, each followed by those of the object that it is, unless that is a shared type, which has a page
 * elsewhere.
 */
export function fieldRows(schema: Schema, linkTo: LinkTo, path = '', depth = 0): readonly string[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const here = path === '' ? name : `${path}.${name}`;
    const notes = [field.description ?? '', ...remarksOn(field), required.includes(name) ? 'Required.' : ''];
    const row = `| ${codeInTable(here)} | ${typeText(field, linkTo)} | ${inTable(notes.filter(Boolean).join(' '))} |`;
    const isPart = path === '' && parts.has(name);
    return [row, ...(isPart ? fieldRows(field, linkTo, here, 1) : innerRows(field, linkTo, here, depth + 1))];
  });
}

function innerRows(field: Schema, linkTo: LinkTo, path: string, depth: number): readonly string[] {
  if (field['x-kindforge-type'] !== undefined || depth > DEEPEST) return [];
  if (field.items) return innerOrOwn(field.items, linkTo, `${path}[]`, depth);
  if (typeof field.additionalProperties === 'object') {
    return innerOrOwn(field.additionalProperties, linkTo, `${path}{}`, depth);
  }
  return fieldRows(field, linkTo, path, depth);
}

const innerOrOwn = (part: Schema, linkTo: LinkTo, path: string, depth: number): readonly string[] =>
  part['x-kindforge-type'] === undefined ? innerRows(part, linkTo, path, depth) : [];

/** The constraints of a schema: all but its type and description. */
function remarksOn(field: Schema): readonly string[] {
  const remarks: string[] = [];
  if (field.default !== undefined) remarks.push(`Default: ${code(inTable(encodeOpenApiJson(field.default)))}.`);
  if (field['x-kindforge-immutable']) remarks.push('Immutable.');
  return remarks;
}

function typeText(field: Schema, linkTo: LinkTo): string {
  const shared = field['x-kindforge-type'];
  if (shared !== undefined) {
    const { library, name } = parseTypeName(shared);
    return `[${name}](${linkTo(library)}#${name.toLowerCase()})`;
  }
  if (field['x-kubernetes-int-or-string'] === true) return 'integer or string';
  if (field.enum) return field.enum.map((value) => codeInTable(String(value))).join(', ');
  if (field.type === 'array') return `list of ${typeText(field.items ?? {}, linkTo)}`;
  if (typeof field.additionalProperties === 'object') return `map of ${typeText(field.additionalProperties, linkTo)}`;
  return field.type ?? 'any';
}

/** A text as code; more backticks around it than in it, so that none of them ends it. */
const code = (text: string): string => {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  const pad = /^`|`$/.test(text) ? ' ' : '';
  return fence + pad + text + pad + fence;
};

const codeInTable = (text: string): string => code(inTable(text));

/** A text as a cell: on one line, and without what would end the cell. */
export const inTable = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
