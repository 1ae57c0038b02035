/** Reads certificate requests: PKCS#10 (RFC 2986) in PEM. */
import { type AlternativeNames, requestedNames } from './alternative-names.js';
import { members, readAll, tags } from './der.js';
import { pemBlocks } from './pem.js';
import { readName, type Subject } from './read-name.js';
import { signatureProblem } from './signature.js';

/** The subject and key that are to be certified. */
export interface CertificateRequest {
  readonly subject: Subject;
  /** The subject as it stands there, in DER. */
  readonly subjectName: Uint8Array;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Uint8Array;
  /** The further names that are asked for; `undefined` where they are malformed. */
  readonly alternativeNames: AlternativeNames | undefined;
  /** Returns the problem of the signature; `undefined` where it is good. */
  readonly verify: () => string | undefined;
}

/** A request, or what keeps the bytes from being one. */
export type CertificateRequestResult =
  | { readonly ok: true; readonly request: CertificateRequest }
  | { readonly ok: false; readonly problem: string };

/** Reads the first PEM block of some bytes as a request. Its signature is not looked at before `verify` is called. */
export function parseCertificateRequest(pem: Uint8Array): CertificateRequestResult {
  const [block] = pemBlocks(pem);
  if (block?.type !== 'CERTIFICATE REQUEST') {
    return { ok: false, problem: 'PEM block type must be CERTIFICATE REQUEST' };
  }
  const request = readRequest(block.bytes);
  return request
    ? { ok: true, request }
    : { ok: false, problem: 'asn1: structure error: the block holds no certificate request' };
}

/** CertificationRequest ::= SEQUENCE { info SEQUENCE, algorithm SEQUENCE, signature BIT STRING } */
function readRequest(der: Uint8Array): CertificateRequest | undefined {
  const [outer, trailing] = readAll(der) ?? [];
  const [info, algorithm, signature, more] = members(outer, tags.sequence) ?? [];
  if (!info || algorithm?.tag !== tags.sequence || signature?.tag !== tags.bitString || more || trailing)
    return undefined;
  const [version, name, key, attributes] = members(info, tags.sequence) ?? [];
  const subject = readName(name);
  // The first octet of a bit string counts the unused bits at its end, which a signature does not have.
  if (version?.tag !== tags.integer || !name || !subject || key?.tag !== tags.sequence || signature.content[0] !== 0)
    return undefined;
  const signed = {
    content: info.whole,
    publicKey: key.whole,
    algorithm,
    signature: signature.content.subarray(1),
  };
  return {
    subject,
    subjectName: name.whole,
    publicKey: key.whole,
    alternativeNames: requestedNames(attributes),
    verify: () => signatureProblem(signed),
  };
}
