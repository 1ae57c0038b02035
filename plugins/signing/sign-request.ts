/** Signs certificate requests as the built-in signers do. */
import {
  type CertificateRequest,
  parseCertificateRequest,
} from '../../runtime/codec/certificates/certificate-request.js';
import { authorityKeyIdExtension, noAuthorityExtension } from '../../runtime/codec/certificates/extensions.js';
import { signCertificate } from '../../runtime/codec/certificates/sign-certificate.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { type SignerId, signerRules } from './signer-rules.js';
import type { SigningAuthority } from './signing-authority.js';
import { usageExtensions } from './usages.js';

/** The spec of a certificate signing request. */
export interface RequestedCertificate {
  /** PEM in base64. */
  readonly request?: string;
  readonly signerName?: string;
  readonly usages?: readonly string[];
  readonly expirationSeconds?: number;
}

/** The certificate in PEM, or why there is none. */
export type SigningResult =
  | { readonly ok: true; readonly certificate: string }
  | { readonly ok: false; readonly problem: string };

export interface RequestSignerOptions {
  readonly signer: SignerId;
  readonly authority: () => SigningAuthority;
  /** The longest life of a certificate, milliseconds. */
  readonly longestMs: number;
}

/** Clocks may differ by this much: certificates begin so long ago. */
const backdateMs = 300_000;
/** Shorter lives end as late as they were asked for; longer ones end the sooner for their earlier beginning. */
const shortMs = 8 * 3_600_000;
/** The shortest life of a certificate. */
const leastMs = 600_000;

/** One of the built-in signers; `now` is milliseconds since 1970. */
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

const lifeOf = ({ expirationSeconds }: RequestedCertificate, longestMs: number): number =>
  expirationSeconds === undefined ? longestMs : Math.min(Math.max(expirationSeconds * 1000, leastMs), longestMs);

interface Times {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Nothing outlives the authority; `undefined` where that has ended. */
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

/** The name that an agent of a node asks for at the signer of such; `undefined` for other requests. */
export function agentNameOf(spec: RequestedCertificate, { signers }: Naming): string | undefined {
  if (spec.signerName !== signers.apiserverClientAgent) return undefined;
  const parsed = parseCertificateRequest(Buffer.from(spec.request ?? '', 'base64'));
  if (!parsed.ok || !parsed.request.alternativeNames) return undefined;
  const problem = signerRules.apiserverClientAgent(parsed.request, spec.usages ?? []);
  return problem === undefined ? parsed.request.subject.commonName : undefined;
}
