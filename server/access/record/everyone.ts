/** The rights that everyone has on a new server, which no role has to give. */

import { RuleTable } from '../../../plugins/index.js';
import type { AccessAttributes } from '../../../runtime/contract/index.js';
import { kubernetesNaming, platformNaming } from '../../../runtime/objects/naming.js';
import { rulesOfSystemRole } from '../../bootstrap/index.js';

/** Roles of everyone who is known. */
const roles = ['system:basic-user', 'system:discovery', 'system:public-info-viewer'];

/** Whether everyone may do this, under either naming. */
export function defineEveryone(): (asked: AccessAttributes) => boolean {
  const table = new RuleTable<true>();
  for (const naming of [platformNaming, kubernetesNaming]) {
    for (const rule of roles.flatMap((role) => rulesOfSystemRole(role, naming))) table.add(rule, true);
  }
  return (asked) => ('path' in asked ? table.ofPath(asked.verb, asked.path) : table.ofResource(asked)) === true;
}
