/**
 * The move from client-side apply to server-side apply. Client-side apply keeps its last configuration in an
 * annotation.
 */
import type { ApiObject, JsonObject, JsonValue } from '../../contract/index.js';
import { getOwn, isObject, objectAt, stringAt } from '../../objects/guards.js';
import { difference, EMPTY, type FieldSet, isEmpty } from '../field-set.js';
import { canonicalJson } from '../order.js';
import type { TypePlan } from '../type-plan.js';
import { compare, toFieldSet } from '../typed/field-sets.js';

/** A client with client-side apply, and the annotation with its last configuration. */
export interface ClientSideApply {
  /** The manager name with which users of the client move to server-side apply. Any other name opts out. */
  readonly manager: string;
  /** The key of the annotation. Its value is the last configuration as JSON. */
  readonly annotation: string;
}

/** The largest sum of all annotations of an object, in characters of keys and values. */
const MAX_ANNOTATIONS = 256 * 1024;

/**
 * Returns the conflicts that remain if the applier owns its earlier client-side configuration. Fields that still have
 * the value from there do not conflict. Returns `undefined` if no conflicts remain.
 */
export function foreignConflicts(
  conflicts: ReadonlyMap<string, FieldSet>,
  ownFields: FieldSet,
): ReadonlyMap<string, FieldSet> | undefined {
  const remaining = new Map<string, FieldSet>();
  for (const [key, fields] of conflicts) {
    const foreign = difference(fields, ownFields);
    if (!isEmpty(foreign)) remaining.set(key, foreign);
  }
  return remaining.size === 0 ? undefined : remaining;
}

/** Returns the fields of the annotation's configuration that the object still has with the same values. */
export function lastAppliedFields(type: TypePlan, live: ApiObject, annotation: string): FieldSet {
  const lastApplied = parseObject(stringAt(objectAt(live.metadata, 'annotations'), annotation));
  if (lastApplied === undefined || stringAt(lastApplied, 'apiVersion') !== live.apiVersion) return EMPTY;
  const { written, removed } = compare(type, lastApplied, live);
  return difference(difference(toFieldSet(type, lastApplied), written), removed);
}

function parseObject(json: string): JsonObject | undefined {
  if (json === '') return undefined;
  try {
    const value: JsonValue = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Sets the annotation, if the object has it, to the new configuration, so the client can return to client-side apply.
 * Removes the annotation if it would exceed the size limit of annotations.
 */
export function withLastApplied(object: ApiObject, applied: JsonObject, annotation: string): ApiObject {
  const annotations = object.metadata.annotations;
  if (annotations === undefined || stringAt(annotations, annotation) === '') return object;
  const json = `${canonicalJson(withoutAnnotation(applied, annotation))}\n`;
  if (annotations[annotation] === json) return object;
  const { [annotation]: _, ...others } = annotations;
  let length = annotation.length + json.length;
  for (const [key, value] of Object.entries(others)) length += key.length + value.length;
  const next = length > MAX_ANNOTATIONS ? others : { ...others, [annotation]: json };
  return { ...object, metadata: { ...object.metadata, annotations: next } };
}

function withoutAnnotation(applied: JsonObject, annotation: string): JsonObject {
  const metadata = objectAt(applied, 'metadata');
  const annotations = objectAt(metadata, 'annotations');
  if (metadata === undefined || annotations === undefined || getOwn(annotations, annotation) === undefined)
    return applied;
  const { [annotation]: _, ...others } = annotations;
  return { ...applied, metadata: { ...metadata, annotations: others } };
}
