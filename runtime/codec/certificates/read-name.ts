/** Reads the distinguished names of certificates and certificate requests (RFC 5280 section 4.1.2.4). */
import { type DerValue, members, oidOf, readDer, tags } from './der.js';

/** The parts of a name that identify a user. */
export interface Subject {
  /** The last common name; empty if there is none. */
  readonly commonName: string;
  readonly organizations: readonly string[];
}

/** Object identifiers of the attributes. */
export const attributeIds = { commonName: '2.5.4.3', organization: '2.5.4.10' } as const;

/** Reads Name ::= SEQUENCE OF SET OF SEQUENCE { type OID, value }. Returns `undefined` for other values. */
export function readName(name: DerValue | undefined): Subject | undefined {
  const sets = members(name, tags.sequence);
  if (!sets) return undefined;
  let commonName = '';
  const organizations: string[] = [];
  for (const set of sets) {
    const attributes = members(set, tags.set);
    if (!attributes) return undefined;
    for (const attribute of attributes) {
      const [type, value] = members(attribute, tags.sequence) ?? [];
      if (!type || !value) return undefined;
      const id = oidOf(type);
      if (id === attributeIds.commonName) commonName = decodeString(value);
      else if (id === attributeIds.organization) organizations.push(decodeString(value));
    }
  }
  return { commonName, organizations };
}

const bmpString = 0x1e;

/** Reads a string of any type that names can have. */
function decodeString({ tag, content }: DerValue): string {
  const bytes = Buffer.from(content);
  if (tag === tags.utf8String) return bytes.toString('utf8');
  if (tag === bmpString && bytes.length % 2 === 0) return bytes.swap16().toString('utf16le');
  return bytes.toString('latin1');
}

/**
 * Returns the subject of a certificate in DER, or `undefined` for other bytes. Node's text form of a subject is
 * ambiguous: values may contain the separators.
 */
export function certificateSubject(der: Uint8Array): Subject | undefined {
  const [body] = members(readDer(der), tags.sequence) ?? [];
  const fields = members(body, tags.sequence) ?? [];
  // Certificates of version 1 leave out the version.
  const [, , , , subject] = fields[0]?.tag === tags.context0 ? fields.slice(1) : fields;
  return readName(subject);
}
