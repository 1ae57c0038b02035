/** Changes that a claim allows: hardly any but of the size, and that only upwards. */
import type { PersistentVolumeClaim } from '../../../generated/core/v1/persistentvolumeclaims/types.js';
import type { DraftObject, FieldError } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { forbidden, invalidValue } from '../../../runtime/objects/field-error.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { compareQuantities, type Quantity } from '../../../runtime/objects/scan/quantity.js';
import { changedPaths } from '../../shared/changed-paths.js';
import { amountsOf } from '../../shared/resource-list.js';
import type { ClaimSpec } from './claim-spec.js';
import { mirrorDataSources } from './data-sources.js';
import { classAnnotation } from './volume-class.js';

type Claim = DraftObject<PersistentVolumeClaim>;

/** The settings that the rules depend on besides the two objects. */
export interface ClaimUpdateContext {
  readonly names: Naming;
  /** Whether a claim that could not grow may lower its request again. */
  readonly mayShrink: boolean;
}

/** Errors of a change from an old claim, whose status still stands. */
export function claimUpdateErrors(
  claim: Claim,
  old: Claim,
  { names, mayShrink }: ClaimUpdateContext,
): readonly FieldError[] {
  const annotation = classAnnotation(names);
  const moved = movesToField(claim, old, annotation);
  return [
    ...(moved ? [] : annotationErrors(claim, old, annotation)),
    ...specErrors(claim, old, moved, annotation),
    ...sizeErrors(claim, old, mayShrink),
    ...modeErrors(claim, old),
  ];
}

function annotationOf({ metadata: { annotations } }: Claim, key: string): string | undefined {
  return annotations && Object.hasOwn(annotations, key) ? annotations[key] : undefined;
}

/** Whether the class moves from the annotation into the field that replaced it. */
function movesToField(claim: Claim, old: Claim, key: string): boolean {
  const before = annotationOf(old, key);
  if (before === undefined || old.spec?.storageClassName !== undefined) return false;
  return claim.spec?.storageClassName === before && (annotationOf(claim, key) ?? before) === before;
}

/** The annotation with the class cannot be changed. */
function annotationErrors(claim: Claim, old: Claim, key: string): readonly FieldError[] {
  const value = annotationOf(claim, key) ?? '';
  if (value === (annotationOf(old, key) ?? '')) return [];
  return [invalidValue(`metadata.annotations.${key}`, value, 'field is immutable')];
}

/** The spec cannot be changed, apart from what a claim without a volume or a class gets later, and the size. */
function specErrors(claim: Claim, old: Claim, moved: boolean, key: string): readonly FieldError[] {
  const before = comparable(old.spec);
  const spec = comparable(claim.spec);
  if (!before.volumeName) before.volumeName = spec.volumeName;
  if (moved || mayName(claim, old, key)) spec.storageClassName = before.storageClassName;
  if (claim.status?.phase === 'Bound') keepSize(spec, before);
  if (equal(spec, before)) return [];
  const problem = 'spec is immutable after creation except resources.requests for bound claims';
  return [forbidden('spec', `${problem}\n${changedPaths(spec, before, 'spec')}`)];
}

/** A copy whose single fields can be replaced. */
function comparable(spec: ClaimSpec | undefined): ClaimSpec {
  const copy = { ...spec };
  mirrorDataSources(copy);
  return copy;
}

/** Whether a claim without a class is given one now. */
function mayName({ spec }: Claim, old: Claim, key: string): boolean {
  if (spec?.storageClassName === undefined || old.spec?.storageClassName !== undefined) return false;
  const annotated = annotationOf(old, key);
  return annotated === undefined || annotated === spec.storageClassName;
}

/** Makes the old size the new one too, so that it does not count as a change. */
function keepSize(spec: ClaimSpec, old: ClaimSpec): void {
  if (!spec.resources?.requests) return;
  const { storage: _new, ...others } = spec.resources.requests;
  const storage = old.resources?.requests?.storage;
  spec.resources = { ...spec.resources, requests: storage === undefined ? others : { ...others, storage } };
}

const nothing: Quantity = { digits: 0n, exponent: 0, notation: 'decimal' };

const sizeOf = ({ spec }: Claim): Quantity => amountsOf(spec?.resources?.requests).get('storage') ?? nothing;

/** The size does not go down, or at most to what the volume has already. */
function sizeErrors(claim: Claim, old: Claim, mayShrink: boolean): readonly FieldError[] {
  const size = sizeOf(claim);
  if (compareQuantities(size, sizeOf(old)) >= 0) return [];
  const field = 'spec.resources.requests.storage';
  if (!mayShrink) return [forbidden(field, 'field can not be less than previous value')];
  const reached = amountsOf(old.status?.capacity).get('storage') ?? nothing;
  return compareQuantities(size, reached) > 0 ? [] : [forbidden(field, 'field can not be less than status.capacity')];
}

/** The volume mode cannot be changed. */
function modeErrors({ spec }: Claim, old: Claim): readonly FieldError[] {
  const mode = spec?.volumeMode;
  return mode === old.spec?.volumeMode ? [] : [invalidValue('volumeMode', mode, 'field is immutable')];
}
