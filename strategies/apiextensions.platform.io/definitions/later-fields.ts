/** Removes the fields of a definition that its kind did not have in release 1.27. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { isObject, objectAt } from '../../../runtime/objects/guards.js';
import { junctorLists, withAllBelow } from '../../../runtime/schema/structural/index.js';
import { objectsAt } from '../../shared/reading.js';
import type { Definition } from './definition.js';

const key = 'x-kubernetes-validations';
const laterFieldsOfRules = ['reason', 'fieldPath', 'optionalOldSelf'];

/**
 * Drops the fields and reports their paths, as for unknown fields. Those inside of values of several types, such as
 * items, are dropped without a report, since such values are decoded separately.
 */
export function pruneLaterFields({ spec }: Pick<Definition, 'spec'>, report: (path: string) => void): void {
  for (const [i, version] of spec?.versions?.entries() ?? []) {
    if (Object.hasOwn(version, 'selectableFields')) {
      delete version.selectableFields;
      report(`spec.versions[${i}].selectableFields`);
    }
    const root = version.schema?.openAPIV3Schema;
    if (root === undefined) continue;
    for (const [schema, path] of reportedSchemas(root, `spec.versions[${i}].schema.openAPIV3Schema`)) {
      pruneRules(schema, (below) => report(path + below));
    }
    for (const schema of withAllBelow(root)) pruneRules(schema, () => {});
  }
}

/** The schemas whose unknown fields are reported, with their paths; without recursion, as they can be deep. */
function* reportedSchemas(root: JsonObject, path: string): Generator<readonly [JsonObject, string]> {
  const open: (readonly [JsonObject, string])[] = [[root, path]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [schema, at] = next;
    yield next;
    for (const map of ['properties', 'patternProperties', 'definitions']) {
      for (const [name, below] of Object.entries(objectAt(schema, map) ?? {})) {
        if (isObject(below)) open.push([below, `${at}.${map}.${name}`]);
      }
    }
    for (const list of junctorLists) {
      for (const [i, below] of objectsAt(schema, list).entries()) open.push([below, `${at}.${list}[${i}]`]);
    }
    const not = objectAt(schema, 'not');
    if (not !== undefined) open.push([not, `${at}.not`]);
  }
}

function pruneRules(schema: JsonObject, report: (below: string) => void): void {
  const rules = schema[key];
  for (const [i, rule] of Array.isArray(rules) ? rules.entries() : []) {
    if (!isObject(rule)) continue;
    for (const field of laterFieldsOfRules) {
      if (!Object.hasOwn(rule, field)) continue;
      delete rule[field];
      report(`.${key}[${i}].${field}`);
    }
  }
}
