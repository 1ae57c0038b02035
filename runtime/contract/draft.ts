/** The types that handlers see objects through: generated types before their values have been validated. */
import type { JsonValue } from './json.js';
import type { ObjectMeta } from './object.js';

/**
 * A value of a generated type that has been decoded but not validated. Every field has the JSON type that its schema
 * says, or is absent, even where the schema requires it; a required list that is absent can also be null. A text need
 * not be one that its enum lists.
 */
export type Draft<T> = JsonValue extends T
  ? JsonValue
  : T extends string
    ? string
    : T extends readonly (infer Item)[]
      ? Draft<Item>[]
      : T extends object
        ? DraftFields<T>
        : T;

type DraftFields<T> = string extends keyof T
  ? { [key: string]: Draft<T[string]> }
  : { [Key in keyof T]?: Draft<T[Key]> | NullList<T, Key> | undefined };

/** Decoding writes null for a required list that is absent. */
type NullList<T, Key extends keyof T> =
  Record<never, never> extends Pick<T, Key> ? never : T[Key] extends readonly unknown[] ? null : never;

/** The fields that every generated type of a kind has. */
export interface KindType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A whole object on its way into the store: its envelope has been checked, all else is a {@link Draft}. */
export type DraftObject<T extends KindType> = Draft<Omit<T, keyof Envelope>> & Envelope;

/** No interface, since only the fields of an alias are known to be all that there are, as in a JSON object. */
type Envelope = { apiVersion: string; kind: string; metadata: ObjectMeta };
