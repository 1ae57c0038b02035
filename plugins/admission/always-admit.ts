/** AlwaysAdmit: lets every write pass. */
import type { AdmissionPlugin } from '../../runtime/contract/index.js';

export function defineAlwaysAdmit(): AdmissionPlugin {
  return {
    name: 'AlwaysAdmit',
    handles: () => true,
    admit: () => undefined,
    validate: () => undefined,
  };
}
