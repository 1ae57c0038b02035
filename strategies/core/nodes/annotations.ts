/** Annotations of nodes that hold JSON: taints from before they were a field, and pods that a node would rather not run. */
import type { JsonValue } from '../../../runtime/contract/index.js';
import { invalidValue, required } from '../../../runtime/objects/field-error.js';
import { isArray, isObject, objectAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import { isTrueAt, objectsAt } from '../../shared/reading.js';
import { checkTaints } from './taints.js';

/** The annotations of a node, at their path. */
export function* checkNodeAnnotations(
  annotations: Readonly<Record<string, string>>,
  path: string,
  { rename }: Naming,
): FieldErrors {
  const taints = rename('scheduler.alpha.platform.io/taints');
  const avoided = rename('scheduler.alpha.platform.io/preferAvoidPods');
  if (annotations[taints]) yield* checkTaintsText(annotations[taints], taints, path);
  if (annotations[avoided]) yield* checkAvoidedPods(annotations[avoided], avoided, path);
}

function* checkTaintsText(text: string, key: string, path: string): FieldErrors {
  const value = parsed(text);
  if (value === undefined || !(value === null || isArray(value))) {
    yield invalidValue(path, key, 'the value is not a JSON list of taints');
  } else yield* checkTaints(objectsAt({ value }, 'value'), `${path}.${key}`);
}

function* checkAvoidedPods(text: string, key: string, path: string): FieldErrors {
  const value = parsed(text);
  if (value === undefined || !(value === null || isObject(value))) {
    yield invalidValue(`${path}.AvoidPods`, key, 'the value is not a JSON object');
    return;
  }
  for (const [i, entry] of objectsAt(value ?? undefined, 'preferAvoidPods').entries()) {
    const at = `${path}.${key}[${i}].PodSignature`;
    const controller = objectAt(objectAt(entry, 'podSignature'), 'podController');
    if (!controller) yield required(at);
    else if (!isTrueAt(controller, 'controller')) {
      yield invalidValue(`${at}.PodController.Controller`, false, 'must point to a controller');
    }
  }
}

/** What a text says as JSON; `undefined` if nothing. */
function parsed(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
