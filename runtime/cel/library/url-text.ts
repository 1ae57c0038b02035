/** Takes URLs apart as RFC 3986 says, without normalising them. */

/** The parts of an absolute URL, or of a URL that begins with its path. */
export interface UrlParts {
  readonly scheme: string;
  /** With the port, if any. */
  readonly host: string;
  /** Percent-encoded. */
  readonly path: string;
  readonly query: string;
}

/** The longest URL to read. */
const maxLength = 64 * 1024;

/**
 * Reads a URL with a scheme or an absolute path, or returns the problem of the text. Removes the fragment only if the
 * URL with it is valid for a request.
 */
export function parseUrl(text: string): UrlParts | string {
  const whole = parseRequestUrl(text);
  const fragment = text.indexOf('#');
  return typeof whole === 'string' || fragment === -1 ? whole : parseRequestUrl(text.slice(0, fragment));
}

function parseRequestUrl(text: string): UrlParts | string {
  const refuse = (why: string): string => `parse ${JSON.stringify(text)}: ${why}`;
  if (text === '') return refuse('empty url');
  if (text.length > maxLength) return 'too long';
  if (Array.from(text).some((char) => char < ' ' || char === '\u007f'))
    return refuse('net/url: invalid control character in URL');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? '';
  if (scheme === '' && /^:/.test(text)) return refuse('missing protocol scheme');
  const rest = scheme === '' ? text : text.slice(scheme.length + 1);
  const mark = rest.indexOf('?');
  const query = mark === -1 ? '' : rest.slice(mark + 1);
  const hierarchical = mark === -1 ? rest : rest.slice(0, mark);
  if (!hierarchical.startsWith('/')) {
    return scheme === ''
      ? refuse('invalid URI for request')
      : { scheme: scheme.toLowerCase(), host: '', path: '', query };
  }
  const authority =
    hierarchical.startsWith('//') && scheme !== '' ? (/^\/\/([^/]*)/.exec(hierarchical)?.[1] ?? '') : '';
  const path =
    authority === '' && !hierarchical.startsWith('//')
      ? hierarchical
      : scheme === ''
        ? hierarchical
        : hierarchical.slice(authority.length + 2);
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  const wrong = userProblem(authority.slice(0, Math.max(0, at))) ?? hostProblem(host) ?? escapeProblem(path);
  if (wrong !== undefined) return refuse(wrong);
  return { scheme: scheme.toLowerCase(), host, path: escapePath(path), query };
}

function userProblem(user: string): string | undefined {
  return /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) ? escapeProblem(user) : 'net/url: invalid userinfo';
}

function hostProblem(host: string): string | undefined {
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    if (end === -1) return "missing ']' in host";
    return /^(?::\d*)?$/.test(host.slice(end + 1))
      ? undefined
      : `invalid port ${JSON.stringify(host.slice(end + 1))} after host`;
  }
  const colon = host.indexOf(':');
  if (colon !== -1 && !/^:\d*$/.test(host.slice(colon)))
    return `invalid port ${JSON.stringify(host.slice(host.lastIndexOf(':')))} after host`;
  const wrong = /[ #\\^`{|}]/.exec(host)?.[0];
  return wrong === undefined ? escapeProblem(host) : `invalid character ${JSON.stringify(wrong)} in host name`;
}

function escapeProblem(text: string): string | undefined {
  const wrong = /%(?![0-9A-Fa-f]{2})(.{0,2})/.exec(text)?.[0];
  return wrong === undefined ? undefined : `invalid URL escape ${JSON.stringify(wrong)}`;
}

function escapePath(path: string): string {
  return path.replace(/[^A-Za-z0-9\-_.~$&+,/:;=@!'()*%]+/gu, (part) => encodeURIComponent(part.toWellFormed()));
}

/** Returns the host without its port, and without the brackets of an IPv6 address. */
export function hostname(host: string): string {
  if (host.startsWith('[')) return host.slice(1, host.lastIndexOf(']'));
  return host.replace(/:\d*$/, '');
}

export function port(host: string): string {
  return /:(\d*)$/.exec(host.startsWith('[') ? host.slice(host.lastIndexOf(']')) : host)?.[1] ?? '';
}

/** Returns the decoded values of each name. Leaves out parts that cannot be decoded. */
export function queryValues(query: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const part of query.split('&')) {
    if (part === '' || part.includes(';')) continue;
    const equals = part.indexOf('=');
    const name = decodePart(equals === -1 ? part : part.slice(0, equals));
    const value = decodePart(equals === -1 ? '' : part.slice(equals + 1));
    if (name === undefined || value === undefined) continue;
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}

function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
