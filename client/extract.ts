/** Extracts the fields of an object that a manager has applied, as a configuration to apply again. */

import { isObject } from '../runtime/objects/guards.js';
import { parseJson } from './json.js';
import type { ApiObjectLike, ManagedFieldsEntry } from './types.js';
import { copyOf, isEqual } from './values.js';

/** Members of an object, or owned fields, by name. */
type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the fields of an object that a manager has applied, through a subresource if one is given, and the object's
 * name. The manager may change these fields and apply them again without giving up any. If the manager has applied
 * nothing, only the name is returned. Throws if the manager has applied the object in another version, because its
 * fields are unknown then.
 */
export function extract<A>(object: ApiObjectLike, manager: string, subresource = ''): A {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = metadata;
  const own = appliedEntry(object, manager, subresource);
  const others = (metadata.managedFields ?? []).filter((entry) => entry !== own).map(({ fieldsV1 }) => fieldsV1);
  const value = Object.fromEntries(Object.entries(object));
  const fields = own?.fieldsV1 === undefined ? {} : extractFields({ owned: own.fieldsV1, others }, value);
  const named = { name, ...(namespace === undefined ? {} : { namespace }) };
  const meta = isObject(fields.metadata) ? fields.metadata : {};
  return { ...fields, apiVersion, kind, metadata: { ...meta, ...named } } as A;
}

function appliedEntry(
  { apiVersion, metadata }: ApiObjectLike,
  manager: string,
  subresource: string,
): ManagedFieldsEntry | undefined {
  const applied = (metadata.managedFields ?? []).filter(
    (entry) => entry.manager === manager && entry.operation === 'Apply' && (entry.subresource ?? '') === subresource,
  );
  const entry = applied.find((each) => each.apiVersion === apiVersion);
  if (entry !== undefined || applied.length === 0) return entry;
  throw new Error(`${manager} has applied ${applied[0]?.apiVersion} of this object, which was read as ${apiVersion}`);
}

/** The fields that the manager owns at a place, and the fields that other managers own there. */
interface Ownership<Owned> {
  readonly owned: Owned;
  readonly others: readonly unknown[];
}

/** Returns whether the manager owns single parts of a value, by name. */
const hasParts = (owned: unknown): owned is Members => isObject(owned) && Object.keys(owned).length > 0;

/** Returns the ownership of the value at a name or item in it. */
const within = ({ owned, others }: Ownership<Members>, path: string): Ownership<unknown> => ({
  owned: owned[path],
  others: others.map((other) => (isObject(other) ? other[path] : undefined)),
});

/** A value that has not been extracted. */
interface Pending {
  readonly ownership: Ownership<unknown>;
  readonly value: unknown;
  /** The keys of an item in a keyed list. The manager does not own keys that it left to their default. */
  readonly keys?: Members;
  /** Puts the extracted part into its parent. */
  readonly put: (part: unknown) => void;
}

/** Extracts the owned part of an object, at any depth. */
function extractFields(ownership: Ownership<Members>, value: Members): Members {
  const whole: Record<string, unknown> = {};
  const waiting: Pending[] = fieldsOf(ownership, value, whole);
  for (const pending of waiting) {
    const { part, below } = partOf(pending);
    pending.put(part);
    for (const next of below) waiting.push(next);
  }
  return whole;
}

/** A part, and the values below it that still must be extracted. */
interface Part {
  readonly part: unknown;
  readonly below: readonly Pending[];
}

/**
 * Extracts one value: all of it if the manager owns it as a whole, or an empty value if only other managers own parts.
 */
function partOf({ ownership: { owned, others }, value, keys }: Pending): Part {
  const parts = hasParts(owned) ? owned : others.some(hasParts) ? {} : undefined;
  if (parts === undefined || typeof value !== 'object' || value === null) return { part: copyOf(value), below: [] };
  if (Array.isArray(value)) {
    const part: unknown[] = [];
    return { part, below: itemsOf({ owned: parts, others }, value, part) };
  }
  const part: Record<string, unknown> = {};
  const isTold = Object.keys(keys ?? {}).some((key) => Object.hasOwn(parts, `f:${key}`));
  if (keys !== undefined && !isTold) for (const [key, own] of Object.entries(keys)) setMember(part, key, own);
  return { part, below: fieldsOf({ owned: parts, others }, { ...value }, part) };
}

/** Fills an object with the names of the owned fields. */
function fieldsOf(ownership: Ownership<Members>, value: Members, into: Record<string, unknown>): Pending[] {
  return Object.keys(ownership.owned).flatMap((path) => {
    const name = path.slice(2);
    if (!path.startsWith('f:') || !Object.hasOwn(value, name)) return [];
    setMember(into, name, undefined);
    const put = (part: unknown): void => setMember(into, name, part);
    return [{ ownership: within(ownership, path), value: value[name], put }];
  });
}

/** Sets a member by any name, even a name that every object inherits. */
const setMember = (object: object, name: string, value: unknown): void => {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
};

/** Fills a list with a place for each owned item, in their order. */
function itemsOf(ownership: Ownership<Members>, list: readonly unknown[], into: unknown[]): Pending[] {
  const wanted = Object.keys(ownership.owned).flatMap((path) => readElement(path, within(ownership, path)));
  return list.flatMap((value, index) => {
    const element = wanted.find(({ matches }) => matches(value, index));
    if (element === undefined) return [];
    const at = into.push(undefined) - 1;
    const put = (part: unknown): void => {
      into[at] = part;
    };
    return [{ ownership: element.ownership, ...(element.keys ? { keys: element.keys } : {}), value, put }];
  });
}

/** Finds an item of a list by its keys or its value. */
interface Element {
  readonly matches: (item: unknown, index: number) => boolean;
  readonly ownership: Ownership<unknown>;
  readonly keys?: Members;
}

function readElement(path: string, ownership: Ownership<unknown>): readonly Element[] {
  const text = path.slice(2);
  if (path.startsWith('i:')) return [{ matches: (_item, index) => index === Number(text), ownership }];
  if (path.startsWith('v:')) {
    const value = parseJson<unknown>(text);
    return [{ matches: (item) => isEqual(item, value), ownership }];
  }
  return path.startsWith('k:') ? [keyedElement(parseJson<Members>(text), ownership)] : [];
}

function keyedElement(keys: Members, ownership: Ownership<unknown>): Element {
  const matches = (item: unknown): boolean =>
    isObject(item) &&
    Object.entries(keys).every(([key, value]) => Object.hasOwn(item, key) && isEqual(item[key], value));
  return { matches, ownership, keys };
}
