/**
 * Checks certificates in the form that signers issue: PEM blocks with X.509 certificates (RFC 5280), and text around
 * them.
 */
import { X509Certificate } from 'node:crypto';
import { members, oidOf, readAll, readDer, tags } from './der.js';
import { extensionIds } from './extensions.js';
import { pemBlocks } from './pem.js';

/**
 * Returns the problem of a text of certificates, or `undefined` if it has none. A text without certificates is valid.
 */
export function certificatesProblem(pem: Uint8Array): string | undefined {
  if (pem.length === 0) return undefined;
  const blocks = pemBlocks(pem);
  if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block';
  for (const { type, hasHeaders, bytes } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found "${type}"`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    const problem = blockProblem(bytes);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Returns the problem of a block, which contains certificates in sequence. */
function blockProblem(der: Uint8Array): string | undefined {
  const certificates = readAll(der);
  if (!certificates) return 'x509: malformed certificate';
  if (certificates.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
  return certificates.every(({ whole }) => parseCertificate(whole) !== undefined)
    ? undefined
    : 'x509: malformed certificate';
}

/**
 * Returns the problem of a bundle without a readable authority, or `undefined` if it has one. An empty bundle is valid.
 * Ignores blocks of other types and other broken blocks.
 */
export function authoritiesProblem(pem: Uint8Array): string | undefined {
  if (pem.length === 0) return undefined;
  const blocks = pemBlocks(pem);
  if (blocks.length === 0) return 'unable to parse bytes as PEM block';
  const certificates = blocks.filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders);
  if (certificates.length === 0) return 'no valid certificate authority data seen';
  const isReadable = certificates.some(({ bytes }) => parseCertificate(bytes) !== undefined);
  return isReadable ? undefined : 'failed to parse certificate: x509: malformed certificate';
}

/** Parses a certificate in DER. Returns `undefined` for other bytes. */
export function parseCertificate(der: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(der));
  } catch {
    return undefined;
  }
}

// Reads the parts of an authority's certificate that its signed certificates repeat (RFC 5280 sections 4.1.2.4 and
// 4.2.1.1).

/** The name of an authority in DER, and the short name of its key if the certificate has one. */
interface AuthorityParts {
  readonly name: Uint8Array;
  readonly keyId: Uint8Array | undefined;
}

const context3 = 0xa3;

/** Returns the parts of an authority, or `undefined` if the bytes are not a certificate of version 3. */
export function authorityParts(der: Uint8Array): AuthorityParts | undefined {
  const [body] = members(readDer(der), tags.sequence) ?? [];
  const fields = members(body, tags.sequence) ?? [];
  const [version, , , , , subject] = fields;
  if (version?.tag !== tags.context0 || subject?.tag !== tags.sequence) return undefined;
  const [list] =
    members(
      fields.find(({ tag }) => tag === context3),
      context3,
    ) ?? [];
  const held = (members(list, tags.sequence) ?? [])
    .map((one) => members(one, tags.sequence) ?? [])
    .find(([id]) => oidOf(id) === extensionIds.subjectKeyId);
  const value = held?.at(-1);
  const inner = value === undefined ? undefined : readDer(value.content);
  return { name: subject.whole, keyId: inner?.tag === tags.octetString ? inner.content : undefined };
}
