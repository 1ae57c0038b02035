/** Applies only one difference to a schema, to see its effect without the others. */
import type { Schema, ValidationRule } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { getOwn } from '../../../runtime/objects/guards.js';
import { type PlacedDifference, partAt, withPart } from './place.js';

/**
 * Returns a copy of `schema` with only this difference taken from `model`; the schema itself if one of the two lacks
 * the place.
 */
export function withDifference(schema: Schema, model: Schema, difference: PlacedDifference): Schema {
  const { parent } = difference;
  const [part, other] = [partAt(schema, parent), partAt(model, parent)];
  if (part === undefined || other === undefined) return schema;
  return withPart(schema, parent, changed(part, other, difference));
}

function changed(part: Schema, model: Schema, difference: PlacedDifference): Schema {
  const { keyword, property } = difference;
  if (keyword === 'type' || keyword === 'x-kubernetes-int-or-string') return model;
  if (keyword === 'properties' && property !== undefined) return withProperty(part, model, property);
  if (keyword === 'required' && property !== undefined) return withRequired(part, model, property);
  if (keyword === 'x-kubernetes-validations') return withRule(part, model, difference);
  const { [keyword]: _, ...others }: { readonly [key: string]: unknown } = { ...part };
  const value: unknown = Reflect.get(model, keyword);
  return value === undefined ? others : { ...others, [keyword]: value };
}

function withProperty(part: Schema, model: Schema, name: string): Schema {
  const { [name]: _, ...others } = part.properties ?? {};
  const child = getOwn(model.properties ?? {}, name);
  const properties = child === undefined ? others : { ...others, [name]: child };
  return { ...part, properties };
}

function withRequired(part: Schema, model: Schema, name: string): Schema {
  const others = (part.required ?? []).filter((each) => each !== name);
  return { ...part, required: model.required?.includes(name) === true ? [...others, name] : others };
}

/** Adds or replaces the rule that differs, as in the model; does not change the other rules. */
function withRule(part: Schema, model: Schema, difference: PlacedDifference): Schema {
  const isMeant = (rule: ValidationRule): boolean =>
    [difference.old, difference.new].some((each) => each !== undefined && equal({ ...rule }, each));
  const others = (part['x-kubernetes-validations'] ?? []).filter((rule) => !isMeant(rule));
  const meant = (model['x-kubernetes-validations'] ?? []).filter(isMeant);
  return { ...part, 'x-kubernetes-validations': [...others, ...meant] };
}
