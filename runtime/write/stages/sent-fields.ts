/** Finds the fields in a request's version by their positions in the stored version, for messages. */
import type { ApiObject, JsonValue } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { equal } from '../../objects/equality.js';
import { getOwn, isArray, isObject, setOwn } from '../../objects/guards.js';
import type { ServedResource } from '../../resource/served-resource.js';
import { toStored } from '../../resource/versions.js';

/** A position in an object, as keys and indexes. */
type Place = readonly (string | number)[];

/** Returns the path of a field in the client's version, or `text` if there is no such field. */
export type SentFields = (place: Place, text: string) => string;

/** The most conversions to try for all fields of an answer. */
const MOST_TRIED = 20;

/**
 * Returns a function that finds fields of a client's object. A field is the source of a stored position if another
 * value of the field shows up there. Tries only one item of each list.
 */
export function sentFields(resource: ServedResource, object: ApiObject): SentFields {
  if (resource === resource.stored) return (_place, text) => text;
  // Converts the object on demand, because most writes have no errors.
  let stored: ApiObject | undefined;
  const known = new Map<string, Place>();
  let left = MOST_TRIED;
  const isStoredFrom = (field: Place, place: Place, value: JsonValue): boolean => {
    if (left-- <= 0) return false;
    const changed = clone(object);
    const other = otherThan(value);
    replace(changed, field, other);
    const found = valueAt(toStored(resource, changed), place);
    return found !== undefined && equal(found, other);
  };
  return (place, text) => {
    stored ??= toStored(resource, object);
    const value = valueAt(stored, place);
    if (value === undefined) return text;
    const pattern = textOf(place.map((step) => (typeof step === 'number' ? 0 : step)));
    const like = withItems(known.get(pattern), place);
    if (like && equal(valueAt(object, like) ?? null, value)) return textOf(like);
    const field = placesOf(object, value).find((each) => isStoredFrom(each, place, value));
    if (field === undefined) return text;
    known.set(pattern, field);
    return textOf(field);
  };
}

/** Returns a position with the indexes of another one, if both go through the same number of lists. */
function withItems(field: Place | undefined, place: Place): Place | undefined {
  const items = place.filter((step) => typeof step === 'number');
  if (field?.filter((step) => typeof step === 'number').length !== items.length) return undefined;
  let list = 0;
  return field.map((step) => (typeof step === 'number' ? (items[list++] ?? step) : step));
}

/** Lists the positions of a value, except in the metadata. */
function placesOf(object: ApiObject, value: JsonValue): readonly Place[] {
  const found: Place[] = [];
  const visit = (at: JsonValue, place: Place): void => {
    if (equal(at, value)) found.push(place);
    else for (const [step, child] of childrenOf(at)) visit(child, [...place, step]);
  };
  for (const [step, child] of childrenOf(object)) if (step !== 'metadata') visit(child, [step]);
  return found;
}

const childrenOf = (value: JsonValue): readonly (readonly [string | number, JsonValue])[] =>
  isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : isObject(value)
      ? Object.entries(value).flatMap(([key, child]) => (child === undefined ? [] : [[key, child] as const]))
      : [];

const otherThan = (value: JsonValue): JsonValue =>
  typeof value === 'string' ? `${value}-` : typeof value === 'number' ? value + 1 : value !== true;

function replace(root: JsonValue, place: Place, value: JsonValue): void {
  const around = valueAt(root, place.slice(0, -1));
  const last = place.at(-1);
  if (isArray(around) && typeof last === 'number') around[last] = value;
  else if (isObject(around) && typeof last === 'string') setOwn(around, last, value);
}

function valueAt(root: JsonValue, place: Place): JsonValue | undefined {
  let at: JsonValue | undefined = root;
  for (const step of place) {
    if (typeof step === 'number') at = isArray(at) ? at[step] : undefined;
    else at = isObject(at) ? getOwn(at, step) : undefined;
  }
  return at;
}

const textOf = (place: Place): string =>
  place.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${step}` : step),
    '',
  );
