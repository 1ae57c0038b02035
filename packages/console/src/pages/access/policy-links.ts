/** Links to roles and bindings. */
import type { AskedServer } from '../../../../../server/access/answer-questions.js';
import type { PolicyObject } from '../../../../../server/access/policy.js';
import { objectHref } from '../../app/addresses.js';

/** Returns the address of a role or binding; `undefined` if the server has no such kind. */
export function policyHref(
  resources: AskedServer['resources'],
  { kind, namespace, name }: PolicyObject,
): string | undefined {
  const found = resources.find((one) => one.kind === kind && one.group.startsWith('rbac.authorization.'));
  return found && objectHref(found, { namespace, name });
}
