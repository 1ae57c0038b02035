/** Gives back from an object what a manager has applied: the configuration that it would apply again. */
import { copyOf } from '../copy.js';
import { isEqual } from '../equal.js';
import { parseJson } from '../json.js';
import type { ApiObjectLike, ManagedFieldsEntry } from '../types.js';

/** Members of an object, or fields that somebody owns, by name. */
type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the fields of an object that a manager has applied, through a subresource where one is named, with those that
 * name the object. Applying them again, changed,
 * changes these fields and gives up none. Where the manager has applied nothing, it only names the object. Throws where the manager has
 * applied the object in another version, whose fields it cannot tell.
 */
export function extract<A>(object: ApiObjectLike, manager: string, subresource = ''): A {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = metadata;
  const own = appliedEntry(object, manager, subresource);
  const others = (metadata.managedFields ?? []).filter((entry) => entry !== own).map(({ fieldsV1 }) => fieldsV1);
  const value = Object.fromEntries(Object.entries(object));
  const fields = own?.fieldsV1 === undefined ? {} : extractFields({ owned: own.fieldsV1, others }, value);
  const named = { name, ...(namespace === undefined ? {} : { namespace }) };
  const meta = isMembers(fields.metadata) ? fields.metadata : {};
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

/** The fields that the manager owns at a place, and those that others own there. */
interface Ownership<Owned> {
  readonly owned: Owned;
  readonly others: readonly unknown[];
}

/** Whether somebody owns parts of a place, by name. */
const hasParts = (owned: unknown): owned is Members => isMembers(owned) && Object.keys(owned).length > 0;

/** The same, one step further in. */
const within = ({ owned, others }: Ownership<Members>, path: string): Ownership<unknown> => ({
  owned: owned[path],
  others: others.map((other) => (isMembers(other) ? other[path] : undefined)),
});

/** The owned part of a value: all of it where no parts are named, unless others own parts. Then it was applied empty. */
function extractValue({ owned, others }: Ownership<unknown>, value: unknown): unknown {
  const parts = hasParts(owned) ? owned : others.some(hasParts) ? {} : undefined;
  if (parts === undefined) return copyOf(value);
  if (Array.isArray(value)) return extractItems({ owned: parts, others }, value);
  return isMembers(value) ? extractFields({ owned: parts, others }, value) : copyOf(value);
}

function extractFields(ownership: Ownership<Members>, value: Members): Members {
  const fields = Object.keys(ownership.owned).flatMap((path) => {
    const name = path.slice(2);
    const isField = path.startsWith('f:') && Object.hasOwn(value, name);
    return isField ? [[name, extractValue(within(ownership, path), value[name])]] : [];
  });
  return Object.fromEntries(fields);
}

/** Items that are owned, in the order of the list. */
function extractItems(ownership: Ownership<Members>, list: readonly unknown[]): readonly unknown[] {
  const wanted = Object.keys(ownership.owned).flatMap((path) => readElement(path, within(ownership, path)));
  return list.flatMap((item, index) => {
    const element = wanted.find(({ matches }) => matches(item, index));
    return element === undefined ? [] : [element.extract(item)];
  });
}

/** An item of a list by what tells it from the others. */
interface Element {
  readonly matches: (item: unknown, index: number) => boolean;
  readonly extract: (item: unknown) => unknown;
}

function readElement(path: string, ownership: Ownership<unknown>): readonly Element[] {
  const extract = (item: unknown): unknown => extractValue(ownership, item);
  const text = path.slice(2);
  if (path.startsWith('i:')) return [{ matches: (_item, index) => index === Number(text), extract }];
  if (path.startsWith('v:')) {
    const value = parseJson<unknown>(text);
    return [{ matches: (item) => isEqual(item, value), extract }];
  }
  return path.startsWith('k:') ? [keyedElement(parseJson<Members>(text), extract)] : [];
}

/** An item that is told apart by keys. Those that the manager has left to their default are not owned, and stay out. */
function keyedElement(keys: Members, extract: Element['extract']): Element {
  return {
    matches: (item) =>
      isMembers(item) &&
      Object.entries(keys).every(([key, value]) => Object.hasOwn(item, key) && isEqual(item[key], value)),
    extract: (item) => {
      const own = extract(item);
      if (!isMembers(own) || Object.keys(keys).some((key) => Object.hasOwn(own, key))) return own;
      return { ...keys, ...own };
    },
  };
}
