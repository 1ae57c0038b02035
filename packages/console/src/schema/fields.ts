/** Chooses the fields that a form shows, their order, and the fields that users cannot change. */
import { type Field, type FormNode, unknownField } from './form.js';
import { isRecord, memberOf, type Place } from './place.js';

export interface Shown {
  /** The text of the filter. It matches names in this object and below. */
  readonly filter: string;
  readonly onlySet: boolean;
  /** The fields that were set when the object was opened. They come first, and do not move while the user types. */
  readonly first: ReadonlySet<string>;
}

/** Returns the fields to show: required ones, set ones, the others, then fields that the schema does not have. */
export function fieldsOf(node: FormNode, value: unknown, { filter, onlySet, first }: Shown): Field[] {
  const own = isRecord(value) ? Object.keys(value) : [];
  const unknown = own.filter((name) => !node.fields.has(name)).map(unknownField);
  const rank = ({ name, required }: Field): number => (required ? 0 : first.has(name) ? 1 : 2);
  const ordered = [...node.fields.values()].map((field) => [rank(field), field] as const).sort(([a], [b]) => a - b);
  const all = [...ordered.map(([, field]) => field), ...unknown];
  const present = onlySet ? all.filter(({ name }) => memberOf(value, name) !== undefined) : all;
  if (filter === '') return present;
  const budget = { nodes: maxSearched };
  return present.filter((field) => matches(field, memberOf(value, field.name), filter.toLowerCase(), budget, 0));
}

/** The most fields, and the greatest depth, of one search for a name: schemas may refer to themselves. */
const maxSearched = 4000;
const maxDepth = 8;

/** Returns whether the name of a field, or of a field below it, contains a text. Searches all set fields. */
function matches(field: Field, value: unknown, text: string, budget: { nodes: number }, depth: number): boolean {
  if (field.name.toLowerCase().includes(text)) return true;
  return depth < maxDepth && hasMatch(field.node, value, text, budget, depth + 1);
}

function hasMatch(node: FormNode, value: unknown, text: string, budget: { nodes: number }, depth: number): boolean {
  if (Array.isArray(value)) return value.some((item) => node.items && hasMatch(node.items, item, text, budget, depth));
  const names = isRecord(value) ? Object.keys(value) : [];
  if (names.some((name) => name.toLowerCase().includes(text))) return true;
  if (node.kind === 'list' || node.kind === 'map') {
    return node.items !== undefined && budget.nodes-- > 0 && hasMatch(node.items, undefined, text, budget, depth + 1);
  }
  for (const inner of node.fields.values()) {
    if (budget.nodes-- <= 0) return false;
    if (matches(inner, memberOf(value, inner.name), text, budget, depth)) return true;
  }
  return false;
}

/** Fields of `metadata` that only the server sets. */
const serverFields = new Set([
  ...['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'selfLink', 'managedFields'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds'],
]);

/**
 * Returns whether users cannot change a field: the kind, the status, fields that the server sets, and the name of an
 * existing object.
 */
export function isFixed([top, name]: Place, mode: 'create' | 'edit', { schema }: FormNode): boolean {
  if (top === 'apiVersion' || top === 'kind' || top === 'status' || schema.readOnly === true) return true;
  if (top !== 'metadata' || typeof name !== 'string') return false;
  return serverFields.has(name) || (mode === 'edit' && ['name', 'namespace', 'generateName'].includes(name));
}

/** Returns how to edit a value: by the schema, or as YAML if the value has another type. */
export function kindFor(node: FormNode, value: unknown): FormNode['kind'] {
  if (value === undefined || value === null) return node.kind;
  if (node.kind === 'object' || node.kind === 'map') return isRecord(value) ? node.kind : 'free';
  if (node.kind === 'list') return Array.isArray(value) ? 'list' : 'free';
  return typeof value === 'object' || (node.kind === 'boolean' && typeof value !== 'boolean') ? 'free' : node.kind;
}

/** Returns the value of a new item of a list or map. */
export function newValue(node: FormNode | undefined): unknown {
  switch (node?.kind) {
    case 'object':
    case 'map':
      return {};
    case 'list':
      return [];
    case 'number':
      return node.schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'int-or-string':
    case 'quantity':
      return 0;
    case 'choice':
      return node.schema.enum?.[0];
    default:
      return '';
  }
}

/** Returns a title for an item of a list: the values of its keys, or of a field that is usually a name. */
export function titleOf(item: unknown, { keys }: FormNode): string {
  const names = keys.length > 0 ? keys : ['name', 'type', 'key', 'id', 'host', 'path'];
  const values = names
    .map((name) => memberOf(item, name))
    .filter((value) => value !== undefined && value !== null && typeof value !== 'object');
  return (keys.length > 0 ? values : values.slice(0, 1)).map(String).join(' · ');
}

/** The most choices, and the most characters of all choices, to show side by side. */
const maxShownChoices = 4;
const maxShownText = 36;

/** Returns the choices of a field, with `null` if it can be null; `undefined` if the field has no choices. */
export function choicesOf({ kind, schema, nullable }: FormNode): readonly unknown[] | undefined {
  const values = kind === 'boolean' ? [true, false] : kind === 'choice' ? (schema.enum ?? []) : undefined;
  return values && nullable && !values.includes(null) ? [...values, null] : values;
}

/** Returns whether choices are few and short enough to show all of them at once. */
export const areFew = (choices: readonly unknown[]): boolean =>
  choices.length <= maxShownChoices && choices.map(String).join('').length <= maxShownText;
