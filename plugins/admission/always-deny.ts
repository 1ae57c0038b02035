/** AlwaysDeny: lets no write pass. */
import type { AdmissionAttributes, AdmissionPlugin, Failure } from '../../runtime/contract/index.js';
import { refuse } from './refuse.js';

const deny = (attributes: AdmissionAttributes): Failure =>
  refuse(attributes, 'admission control is denying all modifications');

export function defineAlwaysDenyAdmission(): AdmissionPlugin {
  return { name: 'AlwaysDeny', handles: () => true, admit: deny, validate: deny };
}
