/** Annotations of a node with JSON: taints from before they were a field, and pods that a node would rather not run. */
import type { Taint } from '../../generated/types/core/v1/types.js';
import type { Draft, JsonValue } from '../../runtime/contract/index.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { type FieldErrors, parsedAnnotation } from '../shared/field-checks.js';
import { checkTaints } from './pod-spec/scheduling.js';

/** Checks the annotations of a node. */
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
  const value = parsedAnnotation(text);
  if (value === undefined || !(value === null || isArray(value))) {
    yield invalidValue(path, key, 'the value is not a JSON list of taints');
  } else yield* checkTaints((value ?? []).map(taintOf), `${path}.${key}`);
}

/** Reads a taint from an annotation, which no schema has decoded. */
function taintOf(value: JsonValue): Draft<Taint> {
  if (!isObject(value)) return {};
  const timeAdded = value.timeAdded === undefined ? undefined : stringAt(value, 'timeAdded');
  return { key: stringAt(value, 'key'), value: stringAt(value, 'value'), effect: stringAt(value, 'effect'), timeAdded };
}

function* checkAvoidedPods(text: string, key: string, path: string): FieldErrors {
  const value = parsedAnnotation(text);
  if (value === undefined || !(value === null || isObject(value))) {
    yield invalidValue(`${path}.AvoidPods`, key, 'the value is not a JSON object');
    return;
  }
  const pods = value?.preferAvoidPods;
  for (const [i, pod] of (isArray(pods) ? pods : []).entries()) {
    const at = `${path}.${key}[${i}].PodSignature`;
    const controller = isObject(pod) ? objectAt(objectAt(pod, 'podSignature'), 'podController') : undefined;
    if (!controller) yield required(at);
    else if (controller.controller !== true) {
      yield invalidValue(`${at}.PodController.Controller`, false, 'must point to a controller');
    }
  }
}
