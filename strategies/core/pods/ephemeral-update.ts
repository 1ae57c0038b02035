/** Containers that look into a running pod: they come, and stay as they came. */
import type { FieldError, JsonObject } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { forbidden } from '../../../runtime/objects/field-error.js';
import { stringAt } from '../../../runtime/objects/guards.js';
import { quote } from '../../../runtime/objects/printing.js';
import { changedPaths } from '../../shared/changed-paths.js';
import { objectsAt } from '../../shared/reading.js';

const path = 'spec.ephemeralContainers';

/** Errors of containers that were there and are gone or different, whatever their order. */
export function ephemeralUpdateErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const now = new Map(objectsAt(spec, 'ephemeralContainers').map((one) => [stringAt(one, 'name'), one] as const));
  return objectsAt(old, 'ephemeralContainers').flatMap((before) => {
    const name = stringAt(before, 'name');
    const container = now.get(name);
    if (equal(container, before)) return [];
    const start = `existing ephemeral containers ${quote(name)} may not be`;
    if (!container) return [forbidden(path, `${start} removed\n`)];
    return [forbidden(path, `${start} changed\n${changedPaths(container, before, '')}`)];
  });
}
