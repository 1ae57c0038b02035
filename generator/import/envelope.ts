/** Removes from the schema of a kind what definitions of the native format do not contain. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { get, isObject, type Raw, strings } from '../../runtime/schema/read.js';

/** Fields that every object has. */
export const ENVELOPE: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/** Returns a kind's definition without the envelope. It stays an object even without other fields. */
export function withoutEnvelope(raw: Raw): JsonObject {
  if (!isObject(raw)) return {};
  const properties = get(raw, 'properties');
  if (!isObject(properties)) return raw;
  const rest = Object.fromEntries(Object.entries(properties).filter(([name]) => !ENVELOPE.includes(name)));
  const required = strings(raw.required).filter((name) => !ENVELOPE.includes(name));
  return { ...raw, properties: rest, required };
}
