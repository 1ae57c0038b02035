/** Recognizes users by tokens from a file, one `token,user,uid,"group1,group2"` in a line; the groups may be left out. */
import type { Authenticator, UserInfo } from '../../runtime/contract/index.js';
import { bearerToken } from './bearer.js';
import { parseCsv } from './csv.js';
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
