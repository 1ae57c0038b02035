/**
 * Tells where the apply form of a type differs from the type itself.
 *
 * An apply configuration says only what its author wants to own, so members of granular objects are optional even
 * where the whole object needs them. What is owned as a whole (atomic lists and objects) has no such form, and the
 * items of a keyed list keep the members that tell them apart.
 */
import type { Schema } from '../../../runtime/contract/index.js';

/** Whether values of this schema are owned in parts. */
export const isGranular = (schema: Schema): boolean =>
  schema.items !== undefined
    ? schema['x-kubernetes-list-type'] === 'map'
    : schema['x-kubernetes-map-type'] !== 'atomic' && schema['x-kubernetes-embedded-resource'] !== true;

/** Keys of a keyed list that its items must have; keys with a default may be left out. */
export const requiredKeys = (list: Schema): readonly string[] => {
  const required = list.items?.required ?? [];
  return (list['x-kubernetes-list-map-keys'] ?? []).filter((key) => required.includes(key));
};

const hasProperty = ({ properties = {} }: Schema, name: string): boolean => Object.hasOwn(properties, name);

const known = new WeakMap<Schema, boolean>();

const examine = (schema: Schema): boolean => {
  if (!isGranular(schema)) return false;
  if (schema.items !== undefined) return hasItemForm(schema);
  if ((schema.required ?? []).some((name) => hasProperty(schema, name))) return true;
  if (typeof schema.additionalProperties === 'object' && hasApplyForm(schema.additionalProperties)) return true;
  return Object.values(schema.properties ?? {}).some(hasApplyForm);
};

/** Whether the apply form of this schema's type is another type. Each schema is walked once. */
export const hasApplyForm = (schema: Schema): boolean => {
  const answer = known.get(schema) ?? examine(schema);
  known.set(schema, answer);
  return answer;
};

/** The same for the items of a list, which keep the list's keys. */
export const hasItemForm = (list: Schema): boolean => {
  const { items } = list;
  if (items === undefined || !isGranular(list) || !isGranular(items)) return false;
  const keys = requiredKeys(list);
  const others = (items.required ?? []).filter((name) => !keys.includes(name) && hasProperty(items, name));
  return others.length > 0 || Object.values(items.properties ?? {}).some(hasApplyForm);
};
