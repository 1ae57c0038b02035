/** Reads stored bytes back into what memory holds of an object. */
import type { AttributeReader, Attributes, JsonObject, JsonValue, Key } from '../../contract/index.js';

/** The attributes of an object that was stored earlier; undefined where the bytes are no JSON object. */
export function attributesOf(key: Key, bytes: Uint8Array, read: AttributeReader): Attributes | undefined {
  const object = parse(bytes);
  return object && read(key, object);
}

function parse(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
