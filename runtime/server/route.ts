/** Takes a request path apart into the resource, namespace, name and subresource that it speaks of. */

/** What an API path names. Empty strings stand for parts that the path does not have. */
export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly plural: string;
  readonly name: string;
  readonly subresource: string;
  /** Whether the path has a place for a namespace, which may be empty: `/namespaces//pods`. */
  readonly namespaced: boolean;
  /** The deprecated `/watch/` form, in which a GET is a watch. */
  readonly watch: boolean;
}

/**
 * A path under `/api/<version>/…` or `/apis/<group>/<version>/…` that goes on to a resource; `undefined` for all others
 * and for paths with more parts than any resource has. It is decoded before it is taken apart, so an encoded slash parts
 * as any other does; a malformed escape is no path. Slashes at the end are passed over.
 */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const parts = decodePath(path)?.split('/') ?? [];
  while (parts.at(-1) === '') parts.pop();
  let at: number;
  let group = '';
  if (parts[1] === 'api') at = 2;
  else if (parts[1] === 'apis') {
    group = parts[2] ?? '';
    at = 3;
  } else return undefined;
  const version = parts[at++];
  if (version === undefined) return undefined;
  const watch = parts[at] === 'watch' && parts.length > at + 1;
  if (watch) at++;
  const rest = parts.slice(at);
  if (rest.length === 0 || rest.some((part, i) => part === '' && !(i === 1 && isNamespaced(rest)))) return undefined;
  const place = placeOf(rest);
  return place === undefined ? undefined : { group, version, watch, ...place };
}

type Place = Pick<ResourcePath, 'namespaced' | 'namespace' | 'plural' | 'name' | 'subresource'>;

/** A namespace's own subresources share the shape of a namespaced resource, so their names are told apart here. */
export const isNamespaceSubresource = (name: string): boolean => name === 'status' || name === 'finalize';

/** The subresource that a path may go on after: what follows is for whoever is behind it. */
const proxy = 'proxy';

function placeOf(rest: readonly string[]): Place | undefined {
  const [first = '', second = '', third = '', fourth = '', fifth = '', ...more] = rest;
  if (more.length > 0 && fifth !== proxy) return undefined;
  if (isNamespaced(rest)) {
    return { namespaced: true, namespace: second, plural: third, name: fourth, subresource: fifth };
  }
  if (rest.length > 3 && third !== proxy) return undefined;
  return { namespaced: false, namespace: '', plural: first, name: second, subresource: third };
}

const isNamespaced = ([first, , third = '']: readonly string[]): boolean =>
  first === 'namespaces' && third !== '' && !isNamespaceSubresource(third);

/** A path without its percent-encoding (RFC 3986, 2.1); `undefined` where that is malformed. */
export function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
