/** Reads the subject of an X.509 certificate (RFC 5280 section 4.1.2.6). */
import { members, readDer, tags } from './der.js';
import { readName, type Subject } from './read-name.js';

/**
 * The subject of a certificate in DER; `undefined` where the bytes are none. Node's own text of a subject does not tell
 * separators from values that hold them.
 */
export function certificateSubject(der: Uint8Array): Subject | undefined {
  const [body] = members(readDer(der), tags.sequence) ?? [];
  const fields = members(body, tags.sequence) ?? [];
  // The version is left out of certificates of the first version.
  const [, , , , subject] = fields[0]?.tag === tags.context0 ? fields.slice(1) : fields;
  return readName(subject);
}
