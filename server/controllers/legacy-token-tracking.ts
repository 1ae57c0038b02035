/** Chooses the controller that says since when the use of tokens of secrets is noted. */

import { defineLegacyTokenTracking } from '../../controllers/index.js';
import type { Controller } from '../../controllers/kit/index.js';
import type { Naming } from '../../runtime/objects/naming.js';

/** The controller where the gate is on and config maps are served; else none. */
export function legacyTokenTracking(
  serves: (group: string, version: string, plural: string) => boolean,
  { namespaces, wellKnown }: Naming,
  featureEnabled: (gate: string) => boolean,
): readonly Controller[] {
  if (!featureEnabled('LegacyServiceAccountTokenTracking') || !serves('', 'v1', 'configmaps')) return [];
  return [defineLegacyTokenTracking({ namespace: namespaces.system, name: wellKnown.legacyTokenTracking })];
}
