/** The values that JSON, YAML and Protobuf bodies decode to. */

/**
 * A decoded value. Integers beyond ±(2^53−1) are `bigint`, so that int64 stays exact; every other number is a `number`.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;

/** A decoded object. A key that holds `undefined` is the same as an absent key and is never encoded. */
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}
