/** Takes out of a definition what its kind did not have in release 1.27. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { isObject, objectAt } from '../../runtime/objects/guards.js';
import { withAllBelow } from '../../runtime/schema/structural/index.js';
import { objectsAt } from '../parts/field-checks.js';

const key = 'x-kubernetes-validations';
const laterFieldsOfRules = ['reason', 'fieldPath', 'optionalOldSelf'];

/** Drops the fields, and reports those of the outermost schemas, as is done with fields that nobody knows. */
export function pruneLaterFields(definition: JsonObject, report: (path: string) => void): void {
  for (const [i, version] of objectsAt(objectAt(definition, 'spec'), 'versions').entries()) {
    const root = objectAt(objectAt(version, 'schema'), 'openAPIV3Schema');
    if (root === undefined) continue;
    const place = `spec.versions[${i}].schema.openAPIV3Schema.${key}`;
    for (const schema of withAllBelow(root)) pruneRules(schema, schema === root ? place : undefined, report);
  }
}

function pruneRules(schema: JsonObject, place: string | undefined, report: (path: string) => void): void {
  const rules = schema[key];
  for (const [i, rule] of Array.isArray(rules) ? rules.entries() : []) {
    if (!isObject(rule)) continue;
    for (const field of laterFieldsOfRules) {
      if (!Object.hasOwn(rule, field)) continue;
      delete rule[field];
      if (place !== undefined) report(`${place}[${i}].${field}`);
    }
  }
}
