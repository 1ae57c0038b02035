/** Reads managedFields: returns the lines of an object, each with the managers that own it. */
import type { DynamicObject, ManagedFieldsEntry } from 'kindforge/client';
import { isMembers, type Members, printPath, type Step } from './paths.js';

/** One entry of managedFields: the manager, the operation and the time. */
export interface FieldManager {
  readonly name: string;
  readonly operation: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** As in `2026-01-31T12:00:00Z`; empty if unknown. */
  readonly time: string;
  /** How many lines it owns. */
  readonly count: number;
}

/** A line of an object as YAML. */
export interface FieldLine {
  readonly depth: number;
  /** As in `image:`, `- name:` or `-`. */
  readonly label: string;
  /** The value; empty if it follows in further lines. */
  readonly text: string;
  readonly path: string;
  /** The indexes of managers that own it. */
  readonly managers: readonly number[];
}

export interface OwnedFields {
  readonly managers: readonly FieldManager[];
  readonly lines: readonly FieldLine[];
}

/** Returns the lines of an object, without managedFields, with their owners. */
export function ownedFields(object: DynamicObject): OwnedFields {
  const { managedFields = [], ...metadata } = object.metadata;
  const entries = managedFields.map(({ fieldsV1 }, manager): Owned => ({ manager, fields: fieldsV1 }));
  const lines: FieldLine[] = [];
  const { apiVersion, kind, ...rest } = object;
  addMembers({ apiVersion, kind, ...rest, metadata }, entries, { depth: 0, at: [] }, lines);
  const counts = new Map<number, number>();
  for (const line of lines) for (const manager of line.managers) counts.set(manager, (counts.get(manager) ?? 0) + 1);
  return { managers: managedFields.map((entry, index) => toManager(entry, counts.get(index) ?? 0)), lines };
}

const toManager = (entry: ManagedFieldsEntry, count: number): FieldManager => ({
  name: entry.manager ?? '',
  operation: entry.operation ?? '',
  subresource: entry.subresource ?? '',
  time: entry.time ?? '',
  count,
});

/**
 * The fields of a manager below a place, in the form FieldsV1: `f:name`, `k:{…}`, `v:…`, `i:0`, and `.` for the place
 * itself.
 */
interface Owned {
  readonly manager: number;
  readonly fields: unknown;
}

interface Place {
  readonly depth: number;
  readonly at: readonly Step[];
  /** Begins the first line of an item. */
  readonly dash?: string;
}

function addMembers(
  value: Members,
  owned: readonly Owned[],
  { depth, at, dash = '' }: Place,
  lines: FieldLine[],
): void {
  const owners = settled(owned);
  for (const [index, [name, part]] of Object.entries(value).entries()) {
    const start = index === 0 ? dash : '';
    const below = owners.flatMap((each) => within(each, `f:${name}`));
    const place = { depth: depth + (dash !== '' && start === '' ? 1 : 0), at: [...at, name] };
    addValue(`${start}${labelOf(name)}:`, part, below, place, lines, start === '' ? 1 : 2);
  }
}

function addItems(list: readonly unknown[], owned: readonly Owned[], { depth, at }: Place, lines: FieldLine[]): void {
  const owners = settled(owned);
  for (const [index, item] of list.entries()) {
    const below = owners.flatMap((each) => withinItem(each, item, index));
    const place = { depth, at: [...at, index] };
    if (isMembers(item) && Object.keys(item).length > 0) addMembers(item, below, { ...place, dash: '- ' }, lines);
    else addValue('-', item, below, place, lines, 1);
  }
}

function addValue(
  label: string,
  value: unknown,
  owned: readonly Owned[],
  { depth, at }: Place,
  lines: FieldLine[],
  indent: number,
): void {
  const parts = isMembers(value) ? Object.keys(value).length : Array.isArray(value) ? value.length : 0;
  const managers = owned.filter(({ fields }) => ownsItself(fields)).map(({ manager }) => manager);
  lines.push({ depth, label, text: parts > 0 ? '' : textOf(value), path: printPath(at), managers });
  if (parts === 0) return;
  if (Array.isArray(value)) addItems(value, owned, { depth: depth + indent - 1, at }, lines);
  else if (isMembers(value)) addMembers(value, owned, { depth: depth + indent, at }, lines);
}

/** Adds the owner of a whole value once for all its parts, because there may be thousands. */
const settled = (owned: readonly Owned[]): readonly Owned[] =>
  owned.map(({ manager, fields }) => ({ manager, fields: isWhole(fields) ? whole : fields }));

/** Returns the owned part one step further in. The owner of a whole value owns all its parts. */
function within({ manager, fields }: Owned, step: string): Owned[] {
  if (fields === whole) return [{ manager, fields }];
  return isMembers(fields) && Object.hasOwn(fields, step) ? [{ manager, fields: fields[step] }] : [];
}

function withinItem(owned: Owned, item: unknown, index: number): Owned[] {
  const { manager, fields } = owned;
  if (fields === whole) return [{ manager, fields }];
  if (!isMembers(fields)) return [];
  const found = stepsOf(fields).find((step) => matches(step, item, index));
  return found === undefined ? [] : [{ manager, fields: fields[found.text] }];
}

/** A step of FieldsV1 that names an item: by its keys, its value, or its index. */
interface ItemStep {
  readonly text: string;
  readonly type: string;
  readonly value: unknown;
}

/** The steps of each list. Each item looks for its own step among them. */
const stepsOfLists = new WeakMap<Members, readonly ItemStep[]>();

function stepsOf(fields: Members): readonly ItemStep[] {
  const known = stepsOfLists.get(fields);
  if (known) return known;
  const steps = Object.keys(fields).map((text) => ({ text, type: text.slice(0, 2), value: parsed(text.slice(2)) }));
  stepsOfLists.set(fields, steps);
  return steps;
}

function matches({ type, value }: ItemStep, item: unknown, index: number): boolean {
  if (type === 'i:') return value === index;
  if (type === 'v:') return value === item;
  if (type !== 'k:' || !isMembers(value) || !isMembers(item)) return false;
  // If the object leaves a key to its default, the key is only in FieldsV1.
  return Object.entries(value).every(([key, wanted]) => !Object.hasOwn(item, key) || item[key] === wanted);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Marks a value that is owned with all its parts. */
const whole = Symbol('whole');

const isWhole = (fields: unknown): boolean => isMembers(fields) && Object.keys(fields).length === 0;

const ownsItself = (fields: unknown): boolean =>
  fields === whole || isWhole(fields) || (isMembers(fields) && Object.hasOwn(fields, '.'));

const labelOf = (name: string): string => (/^[\w./$-]+$/.test(name) ? name : JSON.stringify(name));

function textOf(value: unknown): string {
  if (Array.isArray(value)) return '[]';
  if (isMembers(value)) return '{}';
  if (typeof value !== 'string') return String(value);
  return isPlain(value) ? value : JSON.stringify(value);
}

/** Returns whether YAML reads a text without quotes as the same text. */
const isPlain = (text: string): boolean =>
  /^[A-Za-z][\w ./@:+-]*[\w./@+-]$/.test(text) && !/: |^(true|false|null|yes|no|on|off)$/i.test(text);
