/** The stages that fill in the defaults of fields that an object lacks after plugins have changed it. */

import { applyDefaults } from '../../resource/apply-defaults.js';
import type { CreateAttempt, UpdateAttempt } from '../attempt.js';
import { keepingNulls } from '../decode/kept-nulls.js';

/**
 * Decoding has applied defaults before, for admission to see them and for owners to have them. Plugins may have added
 * parts without, and parts that have been dropped may have a default.
 */
export function fillDefaults({ write: { resource }, object, plan }: CreateAttempt): void {
  // A decoded object has lost its nulls already; an applied one has those that are wrong.
  if (plan.verb === 'apply') keepingNulls(resource, object, () => applyDefaults(resource, object));
  else applyDefaults(resource, object);
}

/** The same for a changed object. A plugin that was shown a view has changed no more than that has. */
export function fillDefaultsOfChanges({ write: { resource }, object, plan }: UpdateAttempt): void {
  if (!plan.view) keepingNulls(resource, object, () => applyDefaults(resource, object));
}
