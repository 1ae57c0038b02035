/** What may change in a claim: hardly anything but the size, and that only upwards. */
import type { ApiObject, FieldError, JsonObject } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { forbidden, invalidValue } from '../../../runtime/objects/field-error.js';
import { objectAt, setOwn, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { compareQuantities, type Quantity } from '../../../runtime/objects/quantity.js';
import { changedPaths } from '../../shared/changed-paths.js';
import { hasAt } from '../../shared/reading.js';
import { amountsAt } from '../../shared/resource-list.js';
import { mirrorDataSources } from './data-sources.js';
import { classAnnotation } from './volume-class.js';

/** What the rules depend on besides the two objects. */
export interface ClaimUpdateContext {
  readonly names: Naming;
  /** Whether a claim that could not grow may be given back some of what it asked for. */
  readonly mayShrink: boolean;
}

/** Errors of a change from an old claim, whose status still stands. */
export function claimUpdateErrors(
  claim: ApiObject,
  old: ApiObject,
  { names, mayShrink }: ClaimUpdateContext,
): readonly FieldError[] {
  const moved = movesToField(claim, old, classAnnotation(names));
  return [
    ...(moved ? [] : annotationErrors(claim, old, classAnnotation(names))),
    ...specErrors(claim, old, moved, classAnnotation(names)),
    ...sizeErrors(claim, old, mayShrink),
    ...modeErrors(claim, old),
  ];
}

const specOf = (claim: ApiObject): JsonObject => objectAt(claim, 'spec') ?? {};

function annotationOf({ metadata: { annotations } }: ApiObject, key: string): string | undefined {
  return annotations && Object.hasOwn(annotations, key) ? annotations[key] : undefined;
}

/** Whether the class moves from the annotation into the field that came after it. */
function movesToField(claim: ApiObject, old: ApiObject, key: string): boolean {
  const before = annotationOf(old, key);
  if (before === undefined || hasAt(specOf(old), 'storageClassName')) return false;
  return specOf(claim).storageClassName === before && (annotationOf(claim, key) ?? before) === before;
}

function annotationErrors(claim: ApiObject, old: ApiObject, key: string): readonly FieldError[] {
  const value = annotationOf(claim, key) ?? '';
  if (value === (annotationOf(old, key) ?? '')) return [];
  return [invalidValue(`metadata.annotations.${key}`, value, 'field is immutable')];
}

function specErrors(claim: ApiObject, old: ApiObject, moved: boolean, key: string): readonly FieldError[] {
  const before = comparable(specOf(old));
  const spec = comparable(specOf(claim));
  if (stringAt(before, 'volumeName') === '') before.volumeName = spec.volumeName;
  if (moved || mayName(claim, old, key)) spec.storageClassName = before.storageClassName;
  if (stringAt(objectAt(claim, 'status'), 'phase') === 'Bound') keepSize(spec, before);
  if (equal(spec, before)) return [];
  const problem = 'spec is immutable after creation except resources.requests for bound claims';
  return [forbidden('spec', `${problem}\n${changedPaths(spec, before, 'spec')}`)];
}

/** A copy in which single fields can be put in place of others. */
function comparable(spec: JsonObject): JsonObject {
  const copy = { ...spec };
  mirrorDataSources(copy);
  return copy;
}

/** Whether a claim without a class is given one afterwards. */
function mayName(claim: ApiObject, old: ApiObject, key: string): boolean {
  if (!hasAt(specOf(claim), 'storageClassName') || hasAt(specOf(old), 'storageClassName')) return false;
  const annotated = annotationOf(old, key);
  return annotated === undefined || annotated === specOf(claim).storageClassName;
}

/** Makes the old size the new one too, so that it does not count as a change. */
function keepSize(spec: JsonObject, old: JsonObject): void {
  const resources = objectAt(spec, 'resources');
  const requests = objectAt(resources, 'requests');
  if (!requests) return;
  const size = objectAt(objectAt(old, 'resources'), 'requests')?.storage;
  const kept = { ...requests };
  if (size === undefined) delete kept.storage;
  else setOwn(kept, 'storage', size);
  spec.resources = { ...resources, requests: kept };
}

const nothing: Quantity = { digits: 0n, exponent: 0, notation: 'decimal' };

const sizeOf = (claim: ApiObject): Quantity =>
  amountsAt(objectAt(specOf(claim), 'resources'), 'requests').get('storage') ?? nothing;

function sizeErrors(claim: ApiObject, old: ApiObject, mayShrink: boolean): readonly FieldError[] {
  const size = sizeOf(claim);
  if (compareQuantities(size, sizeOf(old)) >= 0) return [];
  const field = 'spec.resources.requests.storage';
  if (!mayShrink) return [forbidden(field, 'field can not be less than previous value')];
  const reached = amountsAt(objectAt(old, 'status'), 'capacity').get('storage') ?? nothing;
  return compareQuantities(size, reached) > 0 ? [] : [forbidden(field, 'field can not be less than status.capacity')];
}

function modeErrors(claim: ApiObject, old: ApiObject): readonly FieldError[] {
  const mode = specOf(claim).volumeMode;
  return equal(mode, specOf(old).volumeMode) ? [] : [invalidValue('volumeMode', mode, 'field is immutable')];
}
