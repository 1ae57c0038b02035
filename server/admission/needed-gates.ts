/** Refuses admission plugins whose gate is off. */
import { admissionTable } from '../../plugins/index.js';
import type { AdmissionPlugin } from '../../runtime/contract/index.js';
import { OptionError } from '../option-error.js';

/** Throws an `OptionError` that says which gate to set. */
export function checkGates(plugins: readonly AdmissionPlugin[], featureEnabled: (gate: string) => boolean): void {
  for (const { name, gate } of admissionTable) {
    if (gate === undefined || featureEnabled(gate) || !plugins.some((plugin) => plugin.name === name)) continue;
    throw new OptionError(
      (nameOf) => `${nameOf('admission.enable')}: ${name} needs ${gate}=true in ${nameOf('featureGates')}`,
    );
  }
}
