/** Reads the headers of a request as they were sent: Node joins some that are repeated, and passes over others. */

/** Names and values by turns, as Node has them. */
export type RawHeaders = readonly string[];

/**
 * Returns the first value of each header by its lower-case name. The reference also takes the first of a header that
 * may come once. Headers such as `__proto__` have no other meaning.
 */
export function firstValues(rawHeaders: RawHeaders): Readonly<Record<string, string>> {
  const headers = new FirstValues();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? '';
    headers[name] ??= text(rawHeaders[i + 1] ?? '');
  }
  return headers;
}

/** Headers by name. Of a class, so that requests with the same headers share a shape, and their reading is quick. */
class FirstValues {
  [name: string]: string;
}
// Nothing is inherited, whatever a header is called.
Object.setPrototypeOf(FirstValues.prototype, null);
Reflect.deleteProperty(FirstValues.prototype, 'constructor');

/** Returns all values of a header, by its lower-case name, in order. */
export function valuesOf(rawHeaders: RawHeaders, name: string): readonly string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === name) values.push(text(rawHeaders[i + 1] ?? ''));
  }
  return values;
}

const beyondAscii = /[\u0080-\uffff]/;
const beyondBytes = /[\u0100-\uffff]/;

/** Decodes a value. Node reads its bytes as Latin-1; if they are UTF-8, the client means that. */
function text(value: string): string {
  if (!beyondAscii.test(value) || beyondBytes.test(value)) return value;
  const decoded = Buffer.from(value, 'latin1').toString('utf8');
  return decoded.includes('\ufffd') ? value : decoded;
}

// Reads the target of a request line (RFC 9112, section 3.2): a path with its query, a whole URL, or an asterisk.

/** A target, taken apart. */
interface RequestTarget {
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
