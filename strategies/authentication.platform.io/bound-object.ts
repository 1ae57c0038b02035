/** The object that a token is bound to: the token is valid as long as the object exists. */
import type { BoundObjectReference } from '../../generated/types/authentication/v1/types.js';
import type { ApiObject, Draft, JsonObject, Result, VirtualContext } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { parseGroupVersion } from '../../runtime/objects/gvk.js';
import { quote } from '../../runtime/objects/printing.js';
import { badRequest, conflict, notFound } from '../../runtime/objects/status.js';

/** Kinds of the core group that tokens can be bound to, with the claim that names the object. */
const kinds: Readonly<Record<string, { readonly resource: string; readonly claim: string } | undefined>> = {
  Pod: { resource: 'pods', claim: 'pod' },
  Secret: { resource: 'secrets', claim: 'secret' },
};

/** The claim about the object that a reference names; none where there is no reference. */
export function findBoundObject(
  reference: Draft<BoundObjectReference> | null | undefined,
  context: VirtualContext,
): Result<JsonObject> {
  if (!reference) return { ok: true, value: {} };
  const { kind = '', name = '', apiVersion = '', uid: wanted = '' } = reference;
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
  const known = group === '' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (!known) return refuse(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  if (name === '') return refuse('Name parameter required.');
  const found = context.objects.get({ group, resource: known.resource, namespace: context.namespace, name });
  if (!found) return { ok: false, failure: notFound('', known.resource, name) };
  if (known.resource === 'pods' && !runsAs(found, context.name)) {
    const account = quote(context.name);
    return refuse(`cannot bind token for serviceaccount ${account} to pod running with different serviceaccount name.`);
  }
  const uid = found.metadata.uid ?? '';
  if (wanted !== '' && wanted !== uid) return { ok: false, failure: conflict('', kind, name, anotherObject(wanted)) };
  return { ok: true, value: { [known.claim]: { name, uid } } };
}

const runsAs = (pod: ApiObject, account: string): boolean =>
  stringAt(objectAt(pod, 'spec'), 'serviceAccountName') === account;

const refuse = (why: string): Result<never> => ({ ok: false, failure: badRequest(why) });

const anotherObject = (uid: string): string =>
  `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
