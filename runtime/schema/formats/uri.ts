/** The format of a request's target: an absolute URI, or a path that begins with a slash. */

const control = /\p{Cc}/u;
const brokenEscape = /%(?![0-9a-fA-F]{2})/;

/** Whether a text is a URI with a scheme (RFC 3986), or an absolute path. */
export function isRequestUri(text: string): boolean {
  if (text === '*') return true;
  if (text === '' || control.test(text)) return false;
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length).replace(/\?.*$/s, '');
  if (!rest.startsWith('/')) return scheme !== '';
  if (scheme === '' || !rest.startsWith('//')) return !brokenEscape.test(rest);
  const end = rest.indexOf('/', 2);
  const authority = end === -1 ? rest.slice(2) : rest.slice(2, end);
  return isAuthority(authority) && !brokenEscape.test(end === -1 ? '' : rest.slice(end));
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const user = at === -1 ? '' : authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) || brokenEscape.test(user)) return false;
  const match = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d*))?$/.exec(authority.slice(at + 1));
  if (match === null) return false;
  const host = match[1] ?? '';
  return !/[\s#/?@\\^`{|}]/.test(host) && isEscapedHost(host);
}

/** In a host, escapes may only stand for bytes beyond ASCII. */
function isEscapedHost(host: string): boolean {
  return host.startsWith('[') || !/%(?![89a-fA-F][0-9a-fA-F])/.test(host);
}
