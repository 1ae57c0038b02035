/** Whether a user may act for a signer: approve and sign its requests, attest its certificates. */
import type { AdmissionContext, ApiObject, ResourceModule, UserInfo } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';

/** The verbs of the resource `signers`: what a user can do to requests. */
export type SignerVerb = 'approve' | 'sign' | 'attest';

/** Tells certificate signing requests from other resources. */
export function requestsOf(names: Naming): (resource: ResourceModule) => boolean {
  const group = names.rename('certificates.platform.io');
  return (resource) => resource.group === group && resource.names.plural === 'certificatesigningrequests';
}

/** The signer that a request is meant for. */
export function signerOf(request: ApiObject | undefined): string {
  return stringAt(objectAt(request, 'spec'), 'signerName');
}

/** Asks for the right on the signer itself (`example.com/signer`), and then on all of its domain (`example.com/*`). */
export async function maySignFor(
  verb: SignerVerb,
  signer: string,
  group: string,
  user: UserInfo,
  context: AdmissionContext,
): Promise<boolean> {
  const ask = (name: string) => context.authorize({ user, verb, group, resource: 'signers', name });
  const [domain = ''] = signer.split('/', 1);
  return (await ask(signer)) || ask(`${domain}/*`);
}
