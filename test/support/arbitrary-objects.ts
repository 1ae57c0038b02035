/** Frozen objects for tests, and arbitrary objects that look a little like objects of a kind. */
import fc from 'fast-check';
import type { ApiObject, JsonValue } from '../../runtime/contract/index.js';

/** Makes a value and all that it holds read-only, so that a change throws an error. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}

export const copy = <T>(value: T): T => structuredClone(value);

/** Makes any JSON. It often takes keys from `words`, so code that reads these keys finds them with any value. */
export function arbitraryJson(words: readonly string[]): fc.Arbitrary<JsonValue> {
  const key = fc.oneof(fc.constantFrom(...words), fc.string(), fc.constant('__proto__'));
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, false, 0, -1, 1.5, ''),
      fc.string(),
      fc.constantFrom(...words),
      fc.integer(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 5 }),
    ),
  }));
  return value;
}

/** Makes objects with valid metadata and any other fields. */
export function arbitraryObject(words: readonly string[]): fc.Arbitrary<ApiObject> {
  const fields = fc.dictionary(fc.constantFrom(...words), arbitraryJson(words), { maxKeys: 6 });
  return fields.map((body) => ({
    ...body,
    apiVersion: 'v1',
    kind: 'Any',
    metadata: { name: 'any', namespace: 'any', uid: 'u', resourceVersion: '1' },
  }));
}
