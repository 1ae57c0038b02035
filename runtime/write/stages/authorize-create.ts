/** The stage that checks the right to create for requests of another verb. */
import type { Failure } from '../../contract/index.js';
import { forbiddenObject } from '../../objects/status.js';
import type { CreateAttempt } from '../attempt.js';
import type { Write } from '../write.js';

export const authorizeCreate = ({ write, plan }: CreateAttempt): Promise<Failure | undefined> | undefined =>
  plan.verb === 'create' ? undefined : mayCreate(write);

async function mayCreate({ resource, namespace, name, user, services }: Write): Promise<Failure | undefined> {
  const { group, names } = resource.module;
  const asked = { user, verb: 'create', group, resource: names.plural, namespace, name };
  const { decision, reason = '' } = await services.authorizer.decide(asked);
  return decision === 'allow' ? undefined : forbiddenObject(group, names.plural, name, reason);
}
