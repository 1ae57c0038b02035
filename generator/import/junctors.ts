/** Reduces allOf, anyOf, oneOf and not to the rules on values that the native format allows there. */
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { setOwn } from '../../runtime/objects/guards.js';
import { isObject, written } from '../../runtime/schema/read.js';

/** Keys that would make a rule a schema. */
const FORBIDDEN = new Set(['type', 'description', 'title', 'default', 'nullable', 'additionalProperties', 'example']);

/** The schemas of a junctor, without types; undefined where nothing is left, or where it is a choice of whole types. */
export function withoutTypes(junctor: string, rules: JsonValue): JsonValue | undefined {
  if (!Array.isArray(rules)) return ruleOf(rules);
  const kept = rules.map(ruleOf);
  // A rule that says nothing holds always: of several that all must hold it can go, a choice that has it is none.
  if (junctor !== 'allOf' && kept.includes(undefined)) return undefined;
  const said = kept.filter((rule) => rule !== undefined);
  return said.length === 0 ? undefined : said;
}

function ruleOf(raw: JsonValue): JsonObject | undefined {
  if (!isObject(raw) || raw.$ref !== undefined) return undefined;
  const rule: JsonObject = {};
  for (const [key, value] of written(raw)) {
    if (FORBIDDEN.has(key) || key.startsWith('x-')) continue;
    const kept = keptOf(key, value);
    if (kept !== undefined) setOwn(rule, key, kept);
  }
  return Object.keys(rule).length === 0 ? undefined : rule;
}

function keptOf(key: string, value: JsonValue): JsonValue | undefined {
  if (key === 'properties' && isObject(value)) return fieldsOf(value);
  if (['allOf', 'anyOf', 'oneOf', 'not'].includes(key)) return withoutTypes(key, value);
  return key === 'items' ? ruleOf(value) : value;
}

/** A field that only has to be there, as `required` says, keeps an empty rule. */
function fieldsOf(fields: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [name, field] of written(fields)) setOwn(kept, name, ruleOf(field) ?? {});
  return kept;
}
