/** The view of an object as a Scale: turns its replica counts into a Scale, and a Scale back into the counts. */
import type { ApiObject, Failure, JsonObject, JsonValue, Result, ScalePaths } from '../contract/index.js';
import { fromScaleEntries, type ScaleMapping, scalePath, toScaleEntries } from '../merge/index.js';
import { invalidValue } from '../objects/field-error.js';
import { getOwn, isObject } from '../objects/guards.js';
import { parseGroupVersion } from '../objects/names/names.js';
import { quote } from '../objects/printing.js';
import { formatLabelSelector } from '../objects/selectors/labels.js';
import { conflict, invalid, unprocessable } from '../objects/status.js';
import { scaleKind } from '../resource/scale-kind.js';
import type { ResourceNames, ResourceVersions } from '../resource/served-resource.js';
import { countAt, setCount, textAt } from './scale-fields.js';
import type { Write } from './write.js';

/**
 * Returns the Scale of an object for an answer, without managed fields. Fails if the value at a path is not a count or
 * a selector: an object can be older than the paths in its definition.
 */
export function toScale(paths: ScalePaths, object: ApiObject): Result<ApiObject> {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const wanted = countAt(object, paths.specReplicasPath);
  const found = countAt(object, paths.statusReplicasPath);
  const problem = wanted.problem ?? found.problem;
  const selector = selectorAt(paths, object);
  if (problem !== undefined) return { ok: false, failure: { ...unprocessable(), message: problem } };
  if (!selector.ok) return selector;
  const scale: ApiObject = {
    kind: 'Scale',
    apiVersion: scaleKind().apiVersion,
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: wanted.value ? { replicas: wanted.value } : {},
    status: { replicas: found.value ?? 0, ...(selector.value === '' ? {} : { selector: selector.value }) },
  };
  return { ok: true, value: scale };
}

/** Returns the Scale for a write, with the owners of the replica count. */
export function toOwnedScale(
  resource: ResourceNames & ResourceVersions,
  paths: ScalePaths,
  object: ApiObject,
): Result<ApiObject> {
  const scale = toScale(paths, object);
  const managedFields = toScaleEntries(object.metadata.managedFields ?? [], mappingOf(resource, paths));
  if (!scale.ok || managedFields === undefined) return scale;
  return { ok: true, value: { ...scale.value, metadata: { ...scale.value.metadata, managedFields } } };
}

/**
 * Writes a Scale with its managed fields back into the object, in place. If the Scale names a revision, the object gets
 * it.
 */
export function takeScale(
  resource: ResourceNames & ResourceVersions,
  paths: ScalePaths,
  object: ApiObject,
  scale: ApiObject,
): Failure | undefined {
  const { metadata } = object;
  const set = setCount(object, paths.specReplicasPath, wantedOf(scale));
  if (!set.ok) return set.failure;
  metadata.resourceVersion = scale.metadata.resourceVersion || metadata.resourceVersion;
  const entries = scale.metadata.managedFields ?? [];
  metadata.managedFields = fromScaleEntries(entries, metadata.managedFields ?? [], mappingOf(resource, paths));
  return undefined;
}

const wantedOf = (scale: ApiObject): number | bigint => countAt(scale, '.spec.replicas').value ?? 0;

/** Returns why the server refuses a client's Scale for an object. */
export function refuseScale(write: Write, paths: ScalePaths, object: ApiObject, scale: ApiObject): Failure | undefined {
  const { group, names, decoding } = write.resource.module;
  const count = wantedOf(scale);
  if (count < 0) {
    return decoding === 'typed'
      ? invalid('autoscaling', 'Scale', write.name, [
          invalidValue('spec.replicas', count, 'must be greater than or equal to 0'),
        ])
      : invalid(group, names.kind, write.name, [
          invalidValue(paths.specReplicasPath, count, 'should be a non-negative integer'),
        ]);
  }
  const [sent, found] = [scale.metadata.uid, object.metadata.uid ?? ''];
  if (!sent || sent === found) return undefined;
  return conflict(
    group,
    names.plural,
    write.name,
    `Precondition failed: UID in precondition: ${sent}, UID in object meta: ${found}`,
  );
}

/** Returns the failure of a custom resource without a wanted count, which has no Scale. */
export function missingCount({ module }: ResourceNames, paths: ScalePaths, object: ApiObject): Failure | undefined {
  const path = paths.specReplicasPath;
  const { value, problem } = countAt(object, path);
  if (module.decoding === 'typed' || value !== undefined || problem !== undefined) return undefined;
  return { ...unprocessable(), message: `the spec replicas field ${quote(path)} does not exist` };
}

/**
 * Returns the paths of the count by version. Versions of a custom resource may have different paths; other kinds have
 * one.
 */
function mappingOf(resource: ResourceNames & ResourceVersions, { specReplicasPath }: ScalePaths): ScaleMapping {
  const { module, apiVersion } = resource;
  const path = scalePath(specReplicasPath);
  const inSibling = (other: string): ReturnType<ScaleMapping['replicas']> => {
    const own = resource.sibling(other)?.subresources.get('scale')?.scale;
    return own && scalePath(own.specReplicasPath);
  };
  return {
    apiVersion,
    scaleVersion: scaleKind().apiVersion,
    replicas: (other) => {
      if (other === apiVersion) return path;
      if (module.decoding === 'structural') return inSibling(other);
      return parseGroupVersion(other)?.group === module.group ? path : undefined;
    },
  };
}

function valueAt(object: JsonObject, path: string): JsonValue | undefined {
  const steps = path.split('.').filter((step) => step !== '');
  return steps.reduce<JsonValue | undefined>(
    (value, step) => (isObject(value) ? getOwn(value, step) : undefined),
    object,
  );
}

/** Returns the selector as text. Built-in kinds have a LabelSelector or plain labels instead. */
function selectorAt({ labelSelectorPath }: ScalePaths, object: ApiObject): Result<string> {
  const value = labelSelectorPath === undefined ? undefined : valueAt(object, labelSelectorPath);
  if (labelSelectorPath === undefined || value === undefined) return { ok: true, value: '' };
  if (isObject(value)) return { ok: true, value: formatLabelSelector(value) };
  const { value: text = '', problem } = textAt(object, labelSelectorPath);
  if (problem !== undefined) return { ok: false, failure: { ...unprocessable(), message: problem } };
  return { ok: true, value: text };
}
