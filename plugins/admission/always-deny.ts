/** AlwaysDeny: lets no write pass, but for the server's own. */
import type { AdmissionAttributes, AdmissionPlugin, Failure, UserInfo } from '../../runtime/contract/index.js';
import { itself } from '../authentication/loopback.js';
import { refuse } from './refuse.js';

/** A server that could not make what it needs would not start. */
const deny = (attributes: AdmissionAttributes): Failure | undefined =>
  isServer(attributes.user) ? undefined : refuse(attributes, 'admission control is denying all modifications');

const isServer = ({ name, groups }: UserInfo): boolean =>
  name === itself.name && itself.groups.every((group) => groups.includes(group));

export function defineAlwaysDenyAdmission(): AdmissionPlugin {
  return { name: 'AlwaysDeny', handles: () => true, admit: deny, validate: deny };
}
