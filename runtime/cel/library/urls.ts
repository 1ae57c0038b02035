/** URLs. */
import { bool, list, map, opaque, string } from '../check/types.js';
import type { FunctionDeclaration, Library } from '../environment.js';
import { fail } from '../values/error.js';
import { EntryMap } from '../values/maps.js';
import { type CelValue, Opaque } from '../values/value.js';
import { declare, member, overload } from './declare.js';
import { hostname, parseUrl, port, queryValues, type UrlParts } from './url-text.js';

const typeName = 'kubernetes.URL';
const url = opaque(typeName);

export const urlsLibrary: Library = {
  name: 'urls',
  types: { [typeName]: url },
  functions: [
    declare('url', overload('string_to_url', [string], url, toUrl)),
    declare(
      'isURL',
      overload('is_url_string', [string], bool, (text: string) => typeof parseUrl(text) !== 'string'),
    ),
    part('getScheme', 'get_scheme', ({ parts }) => parts.scheme),
    part('getHost', 'get_host', ({ parts }) => parts.host),
    part('getHostname', 'get_hostname', ({ parts }) => hostname(parts.host)),
    part('getPort', 'get_port', ({ parts }) => port(parts.host)),
    part('getEscapedPath', 'get_escaped_path', ({ parts }) => parts.path),
    declare('getQuery', member('url_get_query', [url], map(string, list(string)), query)),
  ],
};

class Url extends Opaque {
  readonly typeName = typeName;

  constructor(
    readonly text: string,
    readonly parts: UrlParts,
  ) {
    super();
  }

  equals(other: CelValue): boolean {
    return other instanceof Url && other.text === this.text;
  }
}

function toUrl(text: string): Url {
  const parts = parseUrl(text);
  return typeof parts === 'string'
    ? fail(`URL parse error during conversion from string: ${parts}`)
    : new Url(text, parts);
}

function query({ parts }: Url): EntryMap {
  const entries = new EntryMap();
  for (const [name, values] of queryValues(parts.query)) entries.insert(name, values);
  return entries;
}

function part(name: string, id: string, read: (value: Url) => string): FunctionDeclaration {
  return declare(name, member(`url_${id}`, [url], string, read));
}
