/** How many replicas an object has and should have, seen as a Scale, and brought back from there. */
import type { ApiObject, Failure, JsonObject, JsonValue, ScalePaths } from '../contract/index.js';
import { fromScaleEntries, type ScaleMapping, scalePath, toScaleEntries } from '../merge/index.js';
import { invalidValue } from '../objects/field-error.js';
import { getOwn, isObject, setOwn } from '../objects/guards.js';
import { parseGroupVersion } from '../objects/gvk.js';
import { formatLabelSelector } from '../objects/selectors/label-selector-text.js';
import { conflict, internalFailure, invalid } from '../objects/status.js';
import { scaleKind } from './resource/scale-kind.js';
import type { ServedResource } from './served-resource.js';
import type { Write } from './write.js';

/** The Scale of an object, without owners: answers have none. */
export function toScale(paths: ScalePaths, object: ApiObject): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const wanted = countAt(object, paths.specReplicasPath);
  const selector = paths.labelSelectorPath === undefined ? '' : selectorText(valueAt(object, paths.labelSelectorPath));
  return {
    kind: 'Scale',
    apiVersion: scaleKind().apiVersion,
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: wanted ? { replicas: wanted } : {},
    status: { replicas: countAt(object, paths.statusReplicasPath), ...(selector === '' ? {} : { selector }) },
  };
}

/** The same with the owners of the replica count, as writes begin from it. */
export function toOwnedScale(resource: ServedResource, paths: ScalePaths, object: ApiObject): ApiObject {
  const scale = toScale(paths, object);
  const managedFields = toScaleEntries(object.metadata.managedFields ?? [], mappingOf(resource, paths));
  return managedFields === undefined ? scale : { ...scale, metadata: { ...scale.metadata, managedFields } };
}

/**
 * Brings a Scale with its owners back into the object, in place. A revision or uid that it names is the object's to
 * have.
 */
export function takeScale(resource: ServedResource, paths: ScalePaths, object: ApiObject, scale: ApiObject): void {
  const { metadata } = object;
  setCount(object, paths.specReplicasPath, countAt(scale, '.spec.replicas'));
  metadata.resourceVersion = scale.metadata.resourceVersion || metadata.resourceVersion;
  const entries = scale.metadata.managedFields ?? [];
  metadata.managedFields = fromScaleEntries(entries, metadata.managedFields ?? [], mappingOf(resource, paths));
}

/** Returns why the Scale that a client has sent for an object is refused. */
export function refuseScale(write: Write, paths: ScalePaths, object: ApiObject, scale: ApiObject): Failure | undefined {
  const { group, names, decoding } = write.resource.module;
  const count = countAt(scale, '.spec.replicas');
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

/** Custom resources have no Scale while nothing says how many replicas there should be. */
export function missingCount({ module }: ServedResource, paths: ScalePaths, object: ApiObject): Failure | undefined {
  const path = paths.specReplicasPath;
  if (module.decoding === 'typed' || valueAt(object, path) !== undefined) return undefined;
  return internalFailure(`the spec replicas field ${JSON.stringify(path)} does not exist`);
}

/** Versions of a custom resource may have their counts at different places; all others have theirs at one. */
function mappingOf(resource: ServedResource, { specReplicasPath }: ScalePaths): ScaleMapping {
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

const stepsOf = (path: string): readonly string[] => path.split('.').filter((step) => step !== '');

function valueAt(object: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const step of stepsOf(path)) value = isObject(value) ? getOwn(value, step) : undefined;
  return value;
}

function countAt(object: JsonObject, path: string): number {
  const value = valueAt(object, path);
  return typeof value === 'number' ? value : 0;
}

function setCount(object: JsonObject, path: string, count: number): void {
  const steps = stepsOf(path);
  let place = object;
  for (const step of steps.slice(0, -1)) {
    const next = getOwn(place, step);
    const inner: JsonObject = isObject(next) ? next : {};
    setOwn(place, step, inner);
    place = inner;
  }
  setOwn(place, steps.at(-1) ?? '', count);
}

/** A selector as a query has it: written so already, a LabelSelector, or plain labels. */
function selectorText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return isObject(value) ? formatLabelSelector(value) : '';
}
