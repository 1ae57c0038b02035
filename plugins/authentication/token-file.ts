/** Recognizes users by tokens from a file, one `token,user,uid,"group1,group2"` in a line; the groups may be left out. */
import type { Authenticator, UserInfo } from '../../runtime/contract/index.js';
import { bearerToken } from './bearer.js';
import { authenticatedUser } from './users.js';

/** An authenticator with what is odd about its file, or what makes the file useless. */
export type TokenFileResult =
  | { readonly ok: true; readonly authenticator: Authenticator; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** Makes an authenticator from the text of a token file. Tokens are compared exactly. */
export function defineTokenFile(text: string): TokenFileResult {
  const users = new Map<string, UserInfo>();
  const warnings: string[] = [];
  for (const { line, fields } of parseCsv(text)) {
    const [token = '', name = '', uid = '', groups = ''] = fields;
    if (fields.length < 3) {
      return {
        ok: false,
        problem: `line ${line}: a token needs three columns (token, user, uid), found ${fields.length}`,
      };
    }
    if (token === '') warnings.push(`line ${line}: the token is empty; the line is not used`);
    else {
      if (users.has(token)) warnings.push(`line ${line}: the token has been given before; this line is used`);
      users.set(token, authenticatedUser(name, uid, groups === '' ? [] : groups.split(',')));
    }
  }
  const authenticator: Authenticator = {
    name: 'token-file',
    authenticate(credentials) {
      const token = bearerToken(credentials);
      if (token === undefined) return undefined;
      const user = users.get(token);
      return user ? { user } : { refused: 'the token is not in the token file' };
    },
  };
  return { ok: true, authenticator, warnings };
}

// Reads comma-separated values (RFC 4180): fields in double quotes may hold commas, line breaks and doubled quotes.

/** A line that is not empty, and its number from 1. */
interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** The records of a text, blanks around unquoted fields kept out. Linear in the length of the text. */
export function parseCsv(text: string): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  const field = /[ \t]*(?:"((?:[^"]|"")*)"[ \t]*|([^,\n]*))(,|\r?\n|$)/y;
  let fields: string[] = [];
  let line = 1;
  let firstLine = 1;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (!match) break;
    const [whole, quoted, plain = '', separator] = match;
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    line += whole.split('\n').length - 1;
    if (separator === ',') {
      if (field.lastIndex < text.length) continue;
      fields.push('');
    }
    if (fields.length > 1 || fields[0] !== '') records.push({ line: firstLine, fields });
    fields = [];
    firstLine = line;
  }
  return records;
}
