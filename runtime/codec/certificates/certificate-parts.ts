/** Reads those parts of an authority's certificate that go into what it signs (RFC 5280 sections 4.1.2.4 and 4.2.1.1). */
import { members, oidOf, readDer, tags } from './der.js';
import { extensionIds } from './extensions.js';

/** The name of an authority in DER, and the short name of its key where the certificate says one. */
export interface AuthorityParts {
  readonly name: Uint8Array;
  readonly keyId: Uint8Array | undefined;
}

const context3 = 0xa3;

/** `undefined` where the bytes are no certificate of the third version. */
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
