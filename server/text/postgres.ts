/** Reads `postgres://…`, and hides the passwords in it. */
import type { Result } from '../../runtime/contract/index.js';
import { badRequest } from '../../runtime/objects/status.js';
import type { PostgresOption } from '../parts/storage-options.js';

const SCHEME = /^postgres(?:ql)?:\/\//;
/** The login, the hosts and the database of a URL, before its query. */
const PLACE = /^postgres(?:ql)?:\/\/([^/?#]*)(?:\/[^@/?#]*)?$/;
const HOST = /^(?:\[[^[\]]*\]|[^[\]:@]*)(?::\d*)?$/;
const PASSWORD_FILE = 'password-file';

/** Reports whether a text begins like the URL of a database. */
export const isPostgres = (text: string): boolean => SCHEME.test(text);

/**
 * Reads a URL for libpq, with two options of our own: `schema` and `password-file`. Finds only mistakes in its shape;
 * the connection finds all others. Messages do not repeat the URL, because it may contain a password.
 */
export function readPostgres(text: string): Result<PostgresOption> {
  if (!hasShape(text)) {
    return refuse(
      'must look like postgres://user@host:5432/database?schema=kindforge; @, /, ? and # in a name or a password are ' +
        'written as %40, %2F, %3F and %23',
    );
  }
  const [place = '', query = ''] = text.split('?', 2);
  const pairs = query.split('&').filter((pair) => pair !== '');
  const own = pairs.filter((pair) => pair.startsWith(`${PASSWORD_FILE}=`));
  if (own.length > 1) return refuse(`option ${PASSWORD_FILE} is given twice`);
  const file = new URLSearchParams(own[0]).get(PASSWORD_FILE) || undefined;
  const others = pairs.filter((pair) => !own.includes(pair));
  const url = others.length === 0 ? place : `${place}?${others.join('&')}`;
  return { ok: true, value: { url, ...(file !== undefined && { passwordFile: file }) } };
}

/** Returns the text of a storage option without its passwords. Other options stay as they are. */
export function withoutPassword(text: string): string {
  if (!isPostgres(text)) return text;
  // An unescaped password may have any character, and ends at the last @.
  const login = hasShape(text) ? /^(\w+:\/\/[^:@/?#]*):[^@/?#]*@/ : /^(\w+:\/\/[^:]*):.*@/s;
  return text.replace(login, '$1:***@').replace(/(?<=[?&](?:ssl)?password=)[^&]*/g, '***');
}

/** Checks whether a text has the shape of a URL for libpq, with at most one `@` and one `?`. */
function hasShape(text: string): boolean {
  const [place = '', query = '', ...more] = text.split('?');
  const [login = '', hosts = login, ...others] = PLACE.exec(place)?.[1]?.split('@') ?? ['@', '@'];
  const isWhole = more.length === 0 && others.length === 0 && !query.includes('#');
  return isWhole && hosts.split(',').every((host) => HOST.test(host));
}

/** Returns the parts of a URL that locate the data, for comparing. */
export function placeInPostgres({ url, schema }: PostgresOption): string {
  const [place = '', query = ''] = url.split('?', 2);
  const database = place.replace(SCHEME, '').replace(/^[^@]*@/, '');
  const options = new URLSearchParams(query);
  const named = ['host', 'hostaddr', 'port', 'dbname'].map((name) => options.get(name));
  return JSON.stringify([database, named, schema ?? options.get('schema') ?? 'kindforge']);
}

const refuse = (message: string): Result<never> => ({ ok: false, failure: badRequest(message) });
