/** Environment variables of containers, one by one and by whole config maps and secrets. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { invalidValue } from '../../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { configMapKey, envVarName } from '../../../runtime/objects/key-names.js';
import { checkName, checkPresent, checkText, type FieldErrors } from '../../shared/field-checks.js';
import { hasAt, objectsAt } from '../../shared/reading.js';
import { checkFieldSelector, checkResourceSelector, envFields } from './downward-fields.js';

/** The variables of a container, at the path of its `env`. */
export function* checkEnv(container: JsonObject, path: string): FieldErrors {
  for (const [i, variable] of objectsAt(container, 'env').entries()) {
    yield* checkName(`${path}[${i}].name`, stringAt(variable, 'name'), envVarName);
    yield* checkSource(variable, `${path}[${i}].valueFrom`);
  }
}

const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef'] as const;

function* checkSource(variable: JsonObject, path: string): FieldErrors {
  const from = objectAt(variable, 'valueFrom');
  if (from === undefined) return;
  const [field, resource] = [objectAt(from, 'fieldRef'), objectAt(from, 'resourceFieldRef')];
  if (field) yield* checkFieldSelector(field, `${path}.fieldRef`, envFields);
  if (resource) yield* checkResourceSelector(resource, `${path}.resourceFieldRef`, false);
  for (const kind of ['configMapKeyRef', 'secretKeyRef']) {
    const reference = objectAt(from, kind);
    if (!reference) continue;
    yield* checkPresent(reference, 'name', `${path}.${kind}`);
    yield* checkName(`${path}.${kind}.key`, stringAt(reference, 'key'), configMapKey);
  }
  const count = sources.filter((source) => hasAt(from, source)).length;
  if (count === 0) {
    const problem = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';
    yield invalidValue(path, '', problem);
  } else if (stringAt(variable, 'value') !== '') {
    yield invalidValue(path, '', 'may not be specified when `value` is not empty');
  } else if (count > 1) yield invalidValue(path, '', 'may not have more than one field specified at a time');
}

/** What a container takes over as a whole, at the path of its `envFrom`; the list itself is blamed for its sources. */
export function* checkEnvFrom(container: JsonObject, path: string): FieldErrors {
  for (const [i, item] of objectsAt(container, 'envFrom').entries()) {
    const prefix = stringAt(item, 'prefix');
    if (prefix !== '') yield* checkText(`${path}[${i}].prefix`, prefix, envVarName);
    const kinds = ['configMapRef', 'secretRef'].filter((kind) => hasAt(item, kind));
    for (const kind of kinds) yield* checkPresent(objectAt(item, kind) ?? {}, 'name', `${path}[${i}].${kind}`);
    if (kinds.length === 0) yield invalidValue(path, '', 'must specify one of: `configMapRef` or `secretRef`');
    if (kinds.length > 1) yield invalidValue(path, '', 'may not have more than one field specified at a time');
  }
}
