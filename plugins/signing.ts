/** Signs certificate requests as the built-in signers do. */
import { type CertificateRequest, parseCertificateRequest } from '../runtime/codec/certificates/certificate-request.js';
import {
  authorityKeyIdExtension,
  keyUsageExtension,
  noAuthorityExtension,
  purposesExtension,
} from '../runtime/codec/certificates/extensions.js';
import { signCertificate } from '../runtime/codec/certificates/sign-certificate.js';
import type { Naming } from '../runtime/objects/names/naming.js';
import type { SigningAuthority } from './authentication/certificate-authority.js';

export type SignerId = keyof Naming['signers'];

/** Returns why the signer refuses a request, or `undefined` if it signs. */
type Rule = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

const signerRules: Readonly<Record<SignerId, Rule>> = {
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

/** Users with this prefix and this group are nodes. */
const nodePrefix = 'system:node:';
const nodeGroup = 'system:nodes';

type NameKind = 'dns' | 'addresses' | 'emails' | 'uris';

/** Bits of the key usage extension (RFC 5280 section 4.2.1.3). */
const bits: ReadonlyMap<string, number> = new Map([
  ['signing', 0],
  ['digital signature', 0],
  ['content commitment', 1],
  ['key encipherment', 2],
  ['data encipherment', 3],
  ['key agreement', 4],
  ['cert sign', 5],
  ['crl sign', 6],
  ['encipher only', 7],
  ['decipher only', 8],
]);

/** Identifiers of extended key usages (RFC 5280 section 4.2.1.12). */
const purposes: ReadonlyMap<string, string> = new Map([
  ['any', '2.5.29.37.0'],
  ['server auth', '1.3.6.1.5.5.7.3.1'],
  ['client auth', '1.3.6.1.5.5.7.3.2'],
  ['code signing', '1.3.6.1.5.5.7.3.3'],
  ['email protection', '1.3.6.1.5.5.7.3.4'],
  ['s/mime', '1.3.6.1.5.5.7.3.4'],
  ['ipsec end system', '1.3.6.1.5.5.7.3.5'],
  ['ipsec tunnel', '1.3.6.1.5.5.7.3.6'],
  ['ipsec user', '1.3.6.1.5.5.7.3.7'],
  ['timestamping', '1.3.6.1.5.5.7.3.8'],
  ['ocsp signing', '1.3.6.1.5.5.7.3.9'],
  ['microsoft sgc', '1.3.6.1.4.1.311.10.3.3'],
  ['netscape sgc', '2.16.840.1.113730.4.1'],
]);

/** The spec of a CertificateSigningRequest. */
export interface RequestedCertificate {
  /** PEM in base64. */
  readonly request?: string;
  readonly signerName?: string;
  readonly usages?: readonly string[];
  readonly expirationSeconds?: number;
}

export type SigningResult =
  | { readonly ok: true; readonly certificate: string }
  | { readonly ok: false; readonly problem: string };

export interface RequestSignerOptions {
  readonly signer: SignerId;
  readonly authority: () => SigningAuthority;
  /** The longest life of a certificate, milliseconds. */
  readonly longestMs: number;
}

/** Certificates begin this long ago, because clocks differ. */
const backdateMs = 300_000;
/** Shorter certificates are valid for their whole time from now on. Longer ones end earlier by `backdateMs`. */
const shortMs = 8 * 3_600_000;
/** The shortest life of a certificate, milliseconds. */
const leastMs = 600_000;

/** Creates one of the built-in signers. `now` is milliseconds since 1970. */
export const defineRequestSigner =
  ({ signer, authority, longestMs }: RequestSignerOptions) =>
  (spec: RequestedCertificate, now: number): SigningResult => {
    const { usages = [] } = spec;
    const parsed = parseCertificateRequest(Buffer.from(spec.request ?? '', 'base64'));
    if (!parsed.ok) return parsed;
    const { request } = parsed;
    const extensions = usageExtensions(usages);
    const problem =
      request.verify() ??
      (request.alternativeNames ? undefined : 'the subjectAltNames are malformed') ??
      signerRules[signer](request, usages);
    if (problem !== undefined) return { ok: false, problem };
    if (!extensions) return { ok: false, problem: `a usage is unknown: ${usages.join(', ')}` };
    const by = authority();
    const life = times(lifeOf(spec, longestMs), by.until, now);
    return life
      ? { ok: true, certificate: certificateOf(request, extensions, life, by) }
      : { ok: false, problem: 'the authority has expired' };
  };

function nodeProblem({ subject: { commonName, organizations } }: CertificateRequest): string | undefined {
  if (organizations.length !== 1 || organizations[0] !== nodeGroup) return `the organization is not ${nodeGroup}`;
  return commonName.startsWith(nodePrefix) ? undefined : `the common name does not begin with ${nodePrefix}`;
}

const hasNames = ({ alternativeNames: names }: CertificateRequest, ...kinds: readonly NameKind[]): boolean =>
  kinds.some((kind) => (names?.[kind] ?? 0) > 0);

/** Compares usages; `wanted` must be sorted. */
function usagesProblem(usages: readonly string[], wanted: readonly string[]): string | undefined {
  const given = [...new Set(usages)].sort();
  return given.join() === wanted.join() ? undefined : `the usages are not ${wanted.join(', ')}`;
}

/** Returns the extensions for usages, or `undefined` if a usage is unknown. */
function usageExtensions(usages: readonly string[]): readonly Buffer[] | undefined {
  if (!usages.every((usage) => bits.has(usage) || purposes.has(usage))) return undefined;
  const ofKey = [...new Set(usages.flatMap((usage) => bits.get(usage) ?? []))];
  const ofCertificate = [...new Set(usages.flatMap((usage) => purposes.get(usage) ?? []))];
  return [
    ...(ofKey.length === 0 ? [] : [keyUsageExtension(ofKey)]),
    ...(ofCertificate.length === 0 ? [] : [purposesExtension(ofCertificate)]),
  ];
}

const lifeOf = ({ expirationSeconds }: RequestedCertificate, longestMs: number): number =>
  expirationSeconds === undefined ? longestMs : Math.min(Math.max(expirationSeconds * 1000, leastMs), longestMs);

interface Times {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/**
 * Returns when a certificate begins and ends. It never outlives the authority; `undefined` if the authority has
 * expired.
 */
function times(lifeMs: number, until: number, now: number): Times | undefined {
  if (now >= until) return undefined;
  const end = now + lifeMs - (lifeMs < shortMs ? 0 : backdateMs);
  return { notBefore: new Date(now - backdateMs), notAfter: new Date(Math.min(end, until)) };
}

function certificateOf(
  { subjectName, publicKey, alternativeNames }: CertificateRequest,
  usages: readonly Buffer[],
  life: Times,
  by: SigningAuthority,
): string {
  const extensions = [
    ...usages,
    noAuthorityExtension,
    authorityKeyIdExtension(by.keyId),
    ...(alternativeNames?.extension ? [alternativeNames.extension] : []),
  ];
  return signCertificate({ subject: subjectName, publicKey, ...life, extensions }, by);
}

/** Returns the node name that an agent's client certificate request asks for, or `undefined` for other requests. */
export function agentNameOf(spec: RequestedCertificate, { signers }: Naming): string | undefined {
  if (spec.signerName !== signers.apiserverClientAgent) return undefined;
  const parsed = parseCertificateRequest(Buffer.from(spec.request ?? '', 'base64'));
  if (!parsed.ok || !parsed.request.alternativeNames) return undefined;
  const problem = signerRules.apiserverClientAgent(parsed.request, spec.usages ?? []);
  return problem === undefined ? parsed.request.subject.commonName : undefined;
}
