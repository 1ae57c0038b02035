/** VolumeAttributesClass: its driver and parameters. */
import { defineVolumeAttributesClassHandlers } from '../../generated/storage.platform.io/v1alpha1/volumeattributesclasses/handlers.js';
import type { VolumeAttributesClass } from '../../generated/storage.platform.io/v1alpha1/volumeattributesclasses/types.js';
import type { DraftObject, KindHandlers } from '../../runtime/contract/index.js';
import { required } from '../../runtime/objects/field-error.js';
import { qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import { checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { checkParameters } from './storageclasses.js';

export const defineVolumeAttributesClasses = (): KindHandlers =>
  defineVolumeAttributesClassHandlers({
    updateChecks: ['metadata changes', 'field changes'],
    errorOrder: ['driverName', 'parameters'],
    validate: (attributesClass) => firstErrors(checkClass(attributesClass)),
  });

function* checkClass({ driverName, parameters = {} }: DraftObject<VolumeAttributesClass>): FieldErrors {
  // A driver is a qualified name in either case.
  if (driverName) yield* checkText('driverName', driverName.toLowerCase(), qualifiedNameCheck);
  yield* checkParameters(parameters);
  if (Object.keys(parameters).length === 0) yield required('parameters', 'must contain at least one key/value pair');
}
