/** The headers that name the user of a request to another server. */
import type { UserInfo } from '../../runtime/contract/index.js';

/**
 * Returns the headers of a user: names and values by turns. Returns `undefined` if a header would change a text: it has
 * control characters, or blanks at an end.
 */
export function identityHeaders({ name, uid, groups, extra }: UserInfo): readonly string[] | undefined {
  const headers = ['X-Remote-User', name];
  if (uid !== '') headers.push('X-Remote-Uid', uid);
  for (const group of groups) headers.push('X-Remote-Group', group);
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) headers.push(`X-Remote-Extra-${headerName(key)}`, value);
  }
  return headers.every(isSayable) ? headers : undefined;
}

const isSayable = (text: string): boolean => text === text.trim() && !/\p{Cc}/u.test(text);

/** Percent-encodes what the name of a header cannot hold (RFC 9110, section 5.6.2), and `%` itself. */
const headerName = (key: string): string =>
  [...Buffer.from(key)].map((byte) => (isToken(byte) ? String.fromCharCode(byte) : `%${hex(byte)}`)).join('');

const isToken = (byte: number): boolean => /[A-Za-z0-9!#$&'*+.^_`|~-]/.test(String.fromCharCode(byte));

const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');
