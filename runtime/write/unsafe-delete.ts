/** Deletes stored objects that the server cannot read, for clients with the right to do so. */
import type { Failure, FieldError, JsonObject } from '../contract/index.js';
import { forbiddenObject } from '../objects/failures.js';
import { invalidValue } from '../objects/field-error.js';
import { invalid } from '../objects/status.js';
import type { VerbRequest } from '../request/verb-request.js';
import { keyOf } from '../resource/served-resource.js';

/** The option of a delete. It has no effect without the gate. */
export const ignoresReadErrors = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/** Clients need the right to this verb, besides the right to delete. */
const unsafeVerb = 'unsafe-delete-ignore-read-errors';

/** Refuses other options beside this one, because the server knows nothing of the object to check them with. */
export const unsafeOptionErrors = (options: JsonObject): readonly FieldError[] =>
  ['dryRun', 'propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'preconditions']
    .filter((name) => {
      const value = options[name];
      return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
    })
    .map((name) => invalidValue(ignoresReadErrors, true, `cannot be set together with .${name}`));

/** Returns the refusal of the option for a collection. */
export const unsafeCollection = (metaGroup: string): Failure =>
  invalid(metaGroup, 'DeleteOptions', '', [
    invalidValue(ignoresReadErrors, true, 'is not allowed with DELETECOLLECTION, try again after removing the option'),
  ]);

/** Removes the object that a request names. Resolves to the failure, if any. Does not ask admission. */
export async function deleteUnreadable({
  request,
  resource,
  namespace,
  name,
  user,
  services,
}: VerbRequest): Promise<Failure | undefined> {
  const { group, names, version } = resource.module;
  services.annotate?.(request, 'apiserver.k8s.io/unsafe-delete-ignore-read-error', '');
  const asked = { user, verb: unsafeVerb, group, version, namespace, resource: names.plural, name };
  const { decision, reason = '' } = await services.authorizer.decide(asked);
  if (decision !== 'allow')
    return forbiddenObject(group, names.plural, name, `not permitted to do "${unsafeVerb}", reason: ${reason}`);
  const { store } = services;
  const key = keyOf(resource, namespace, name);
  if (store.evict && store.unreadable?.(key).some((damage) => damage.key === key)) return store.evict(key);
  const rule = 'is exclusively used to delete corrupt object(s), try again by removing this option';
  return invalid(group, names.plural, name, [invalidValue(ignoresReadErrors, true, rule)]);
}
