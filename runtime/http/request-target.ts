/** Reads the target of a request line (RFC 9112, section 3.2): a path with its query, a whole URL, or an asterisk. */

/** A target, taken apart. */
export interface RequestTarget {
  /** Path and query; `*` for what is about the server as a whole. */
  readonly path: string;
  /** The host of a whole URL, which counts instead of the header (section 3.2.2); absent for all others. */
  readonly host?: string;
}

const wholeUrl = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/** Reads a target. Path and query of a whole URL stay as they are, percent-encoding and all. */
export function readTarget(target: string): RequestTarget {
  if (target.startsWith('/')) return { path: target };
  const [start = '', host = ''] = wholeUrl.exec(target) ?? [];
  if (start === '') return { path: target };
  const rest = target.slice(start.length);
  return { path: rest.startsWith('/') ? rest : `/${rest}`, host };
}
