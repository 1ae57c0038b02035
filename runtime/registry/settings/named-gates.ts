/** Finds the feature gates that definitions name, for kinds and for fields. */
import type { ResourceModule } from '../../contract/index.js';

/** All gates that these modules name. */
export const gatesOf = (modules: readonly ResourceModule[]): ReadonlySet<string> =>
  new Set(
    modules.flatMap(({ featureGate, fieldGates = [] }) =>
      featureGate === undefined ? fieldGates : [featureGate, ...fieldGates],
    ),
  );
