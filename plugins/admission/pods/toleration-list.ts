/** Lists of tolerations as configurations and annotations have them. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { isInteger, isObject, isString } from '../../../runtime/objects/guards.js';
import { annotationKey } from '../../../runtime/objects/names/key-names.js';
import { checked, fields, list, oneOf, optional, type Schema, text, whole } from '../configuration/schema.js';

const given = checked(
  fields({
    key: optional(text, ''),
    operator: optional(oneOf('Exists', 'Equal'), undefined),
    value: optional(text, ''),
    effect: optional(oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute'), undefined),
    tolerationSeconds: optional(whole(), undefined),
  }),
  ({ key, operator, value, effect, tolerationSeconds }, path, refuse) => {
    const [problem] = key === '' ? [] : annotationKey(key);
    if (problem !== undefined) refuse([...path, 'key'], problem);
    if (key === '' && operator !== 'Exists') refuse(path, 'operator must be Exists where there is no key');
    if (operator === 'Exists' && value !== '') refuse([...path, 'value'], 'leave it out where operator is Exists');
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      refuse([...path, 'effect'], 'must be NoExecute where there are tolerationSeconds');
    }
  },
);

/** The list of a configuration. What is empty is not there, as in pods. */
export const tolerationList: Schema<readonly JsonObject[]> = (...what) => {
  const read = list(given)(...what);
  return read && { value: read.value.map((toleration) => withoutEmpty(toleration)) };
};

/** The list of an annotation, which is JSON; `undefined` where it is something else. An empty one is an empty list. */
export function readTolerations(json: string): readonly JsonObject[] | undefined {
  if (json === '') return [];
  const value = parsed(json);
  if (value === null) return [];
  if (!isTolerations(value)) return undefined;
  return value.map(withoutEmpty);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const texts = ['key', 'operator', 'value', 'effect'] as const;

const isTolerations = (value: unknown): value is JsonObject[] =>
  Array.isArray(value) &&
  value.every(
    (one: unknown) =>
      isObject(one) &&
      texts.every((field) => isAbsent(one[field]) || isString(one[field])) &&
      (isAbsent(one.tolerationSeconds) || isInteger(one.tolerationSeconds)),
  );

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** A toleration with the fields that it has, and no others. */
function withoutEmpty(toleration: JsonObject): JsonObject {
  const named = texts.flatMap((field) => (toleration[field] ? [[field, toleration[field]] as const] : []));
  const { tolerationSeconds } = toleration;
  return { ...Object.fromEntries(named), ...(isInteger(tolerationSeconds) ? { tolerationSeconds } : {}) };
}
