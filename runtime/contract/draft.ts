/** The types of objects in handlers: generated types before validation. */
import type { JsonValue, ObjectMeta } from './object.js';

/**
 * A value of a generated type that is decoded but not validated. Every field has the JSON type of its schema or is
 * absent, even if the schema requires it. A missing required list may be null. A text may be outside of its enum.
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

/** The fields that the generated types of all kinds have. */
export interface KindType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A whole object before it is stored: its envelope is checked, everything else is a {@link Draft}. */
export type DraftObject<T extends KindType> = Draft<Omit<T, keyof Envelope>> & Envelope;

/** A type alias, because TypeScript does not accept interfaces as JSON objects. */
type Envelope = { apiVersion: string; kind: string; metadata: ObjectMeta };
