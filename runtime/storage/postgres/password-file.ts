/** Finds a password in the text of a password file of libpq. */

export interface Place {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/**
 * Returns the password of the first line that matches: `host:port:database:user:password`. Any of the first four may be
 * `*`.
 */
export function passwordIn(text: string, { host, port, database, user }: Place): string | undefined {
  const wanted = [host.startsWith('/') ? 'localhost' : host, String(port), database, user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = fieldsOf(line);
    const password = fields[4];
    if (password === undefined) continue;
    if (wanted.every((value, index) => fields[index] === '*' || fields[index] === value)) return password;
  }
  return undefined;
}

/** Splits a line at its colons. A backslash takes the special meaning from the next character. */
const fieldsOf = (line: string): readonly string[] =>
  (line.match(/(?:^|:)(?:\\.|[^:\\])*/g) ?? []).map((field) => field.replace(/^:/, '').replace(/\\(.)/g, '$1'));
