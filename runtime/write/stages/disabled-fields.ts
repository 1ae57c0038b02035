/** The stage that takes out what feature gates keep from being written. */
import type { Attempt } from '../attempt.js';

/**
 * Drops the fields whose gate is off, in place. Objects that have a gate's fields from the time when it was on keep
 * them and may change them, so that turning a gate off breaks nothing that is stored.
 */
export function dropDisabledFields({ write: { resource, services }, object, old }: Attempt): void {
  resource.functions.dropDisabled?.(object, old, services.featureEnabled);
}
