/** Fills in the roles that are put together of others, so that they grant something before any controller runs. */
import { gatheredRules } from '../../../plugins/index.js';
import type { WantedObject } from '../ensure-objects.js';

/** The same roles in the same order, the aggregated ones with the rules of their parts. */
export function gatherRoles(roles: readonly WantedObject[]): readonly WantedObject[] {
  let gathered = roles;
  // A part can be aggregated itself; each pass completes at least one more role.
  for (const role of roles) if (role.aggregationRule !== undefined) gathered = gatherOnce(gathered);
  return gathered;
}

function gatherOnce(roles: readonly WantedObject[]): readonly WantedObject[] {
  return roles.map((role) => {
    const rules = gatheredRules(role, roles);
    return rules === undefined ? role : { ...role, rules: [...rules] };
  });
}
