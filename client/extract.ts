/** Gives back from an object what a manager has applied: the configuration that it would apply again. */
import { copyOf } from './copy.js';
import { isEqual } from './equal.js';
import { parseJson } from './json.js';
import type { ApiObjectLike, ManagedFieldsEntry } from './types.js';

/** Members of an object, or fields that somebody owns, by name. */
type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the fields of an object that a manager has applied, through a subresource where one is named, with those that
 * name the object. Applying them again, changed, changes these fields and gives up none. Where the manager has applied
 * nothing, it only names the object. Throws where the manager has applied the object in another version, whose fields it
 * cannot tell.
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

/** A value whose owned part is still to be taken. */
interface Pending {
  readonly ownership: Ownership<unknown>;
  readonly value: unknown;
  /** The keys of an item that is told apart by them. Those that the manager has left to their default are not owned. */
  readonly keys?: Members;
  /** Puts the part into what surrounds it. */
  readonly put: (part: unknown) => void;
}

/** The owned part of an object, however deep it is. */
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

/** A part of which those below are still to be put in. */
interface Part {
  readonly part: unknown;
  readonly below: readonly Pending[];
}

/** The owned part of a value: all of it where no parts are named, unless others own parts. Then it was applied empty. */
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

/** A name may be that of what every object inherits. */
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

/** An item of a list by what tells it from the others. */
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
    isMembers(item) &&
    Object.entries(keys).every(([key, value]) => Object.hasOwn(item, key) && isEqual(item[key], value));
  return { matches, ownership, keys };
}
