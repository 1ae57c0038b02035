/** DeviceClass: conditions and settings of its devices. */

import { defineDeviceClassHandlers } from '../../generated/resource.platform.io/v1/deviceclasses/handlers.js';
import type { DeviceClass } from '../../generated/resource.platform.io/v1/deviceclasses/types.js';
import type { DraftObject, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { checkConfiguration } from './device-names.js';
import { checkSelectors } from './device-selectors.js';

type Class = DraftObject<DeviceClass>;

export const defineDeviceClasses = (release: Release = emulate()): KindHandlers =>
  defineDeviceClassHandlers({
    validateCreate: (created) => firstErrors(checkClass(created, undefined, release)),
    validateUpdate: (changed, old) => firstErrors(checkClass(changed, old, release)),
  });

/** Checks what is new. Unchanged conditions stay valid, even if the rules for expressions become stricter. */
function* checkClass({ spec = {} }: Class, old: Class | undefined, release: Release): FieldErrors {
  const { selectors = [], config = [] } = spec;
  if (!old || !equal(selectors, old.spec?.selectors ?? [])) {
    yield* checkSelectors(selectors, 'spec.selectors', release);
  }
  for (const [i, { opaque }] of config.entries()) yield* checkConfiguration(opaque, `spec.config[${i}]`);
}
