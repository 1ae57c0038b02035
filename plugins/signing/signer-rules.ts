/** The rules of the built-in signers: which subjects, further names and usages each of them certifies. */
import type { CertificateRequest } from '../../runtime/codec/certificates/certificate-request.js';
import type { Naming } from '../../runtime/objects/naming.js';

/** The built-in signers, as the naming calls them. */
export type SignerId = keyof Naming['signers'];

/** Returns why the signer does not sign; `undefined` where it does. */
type Rule = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

export const signerRules: Readonly<Record<SignerId, Rule>> = {
  apiserverClient(_request, usages) {
    const allowed = ['client auth', 'digital signature', 'key encipherment'];
    const others = usages.filter((usage) => !allowed.includes(usage));
    if (others.length > 0) return `usages ${others.join(', ')} are not signed; use ${allowed.join(', ')}`;
    return usages.includes('client auth') ? undefined : 'the usages lack client auth';
  },
  apiserverClientAgent: (request, usages) =>
    nodeProblem(request) ??
    (hasNames(request, 'dns', 'addresses', 'emails', 'uris')
      ? 'subjectAltNames are not allowed'
      : usagesProblem(usages, ['client auth', 'digital signature', 'key encipherment'])),
  agentServing(request, usages) {
    const problem = nodeProblem(request);
    if (problem !== undefined) return problem;
    if (!hasNames(request, 'dns', 'addresses')) return 'a DNS or IP subjectAltName is required';
    if (hasNames(request, 'emails', 'uris')) return 'email and URI subjectAltNames are not allowed';
    return usagesProblem(usages, ['digital signature', 'key encipherment', 'server auth']);
  },
  legacyUnknown: () => undefined,
};

/** Names of nodes begin so, and nodes are in one group. */
const nodePrefix = 'system:node:';
const nodeGroup = 'system:nodes';

function nodeProblem({ subject: { commonName, organizations } }: CertificateRequest): string | undefined {
  if (organizations.length !== 1 || organizations[0] !== nodeGroup) return `the organization is not ${nodeGroup}`;
  return commonName.startsWith(nodePrefix) ? undefined : `the common name does not begin with ${nodePrefix}`;
}

type NameKind = 'dns' | 'addresses' | 'emails' | 'uris';

const hasNames = ({ alternativeNames: names }: CertificateRequest, ...kinds: readonly NameKind[]): boolean =>
  kinds.some((kind) => (names?.[kind] ?? 0) > 0);

/** `wanted` is sorted. */
function usagesProblem(usages: readonly string[], wanted: readonly string[]): string | undefined {
  const given = [...new Set(usages)].sort();
  return given.join() === wanted.join() ? undefined : `the usages are not ${wanted.join(', ')}`;
}
