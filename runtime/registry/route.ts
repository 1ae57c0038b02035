/** Splits a request path into its resource, namespace, name and subresource. */

import type { DeprecatedUse, Deprecation, Subresource } from '../contract/index.js';
import type { Naming } from '../objects/names/naming.js';
import type { ApiRequest, RequestPath, ResourcePath } from '../request/api-request.js';
import type { ResourceNames } from '../resource/served-resource.js';

export type { RequestPath, ResourcePath };

/** Returns the path of a request. Splits it once for all callers. */
export function pathOf({ path, tags }: ApiRequest): RequestPath {
  if (!tags) return readPath(path);
  // A request that was made from another one may share its tags but have another path.
  if (tags.path?.sent !== path) tags.path = readPath(path);
  return tags.path;
}

/** Splits a path after decoding it, so encoded slashes separate parts too. */
export function readPath(path: string): RequestPath {
  const decoded = decodePath(path);
  const text = decoded ?? path;
  const parts = text.split('/');
  while (parts.at(-1) === '') parts.pop();
  return { sent: path, text, parts, resource: decoded === undefined ? undefined : resourceOf(parts) };
}

/**
 * Returns the resource that a path below `/api/<version>/` or `/apis/<group>/<version>/` names. Returns `undefined` for
 * all other paths, and for paths with more parts than any resource has.
 */
function resourceOf(parts: readonly string[]): ResourcePath | undefined {
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
  const namespaced = isNamespaced(rest);
  if (rest.length === 0 || hasGap(rest, namespaced) || !isShort(rest, namespaced)) return undefined;
  return {
    group,
    version,
    watch,
    namespaced,
    namespace: namespaced ? (rest[1] ?? '') : '',
    plural: rest[namespaced ? 2 : 0] ?? '',
    name: rest[namespaced ? 3 : 1] ?? '',
    subresource: rest[namespaced ? 4 : 2] ?? '',
  };
}

/** Returns whether a required part is empty. Only the namespace and the parts after a subresource may be empty. */
function hasGap(rest: readonly string[], namespaced: boolean): boolean {
  const own = rest.slice(0, namespaced ? 5 : 3);
  const gap = own.indexOf('');
  return gap >= 0 && (!namespaced || gap !== 1 || own.includes('', 2));
}

/**
 * Returns whether a name is a subresource of namespaces. Their paths have the shape of a namespaced resource, so only
 * the name distinguishes them.
 */
export const isNamespaceSubresource = (name: string): boolean => name === 'status' || name === 'finalize';

/** The subresource that may have a longer path: the program behind it gets the rest. */
const proxy = 'proxy';

/** Returns whether a path has no more parts than a resource has. */
const isShort = (rest: readonly string[], namespaced: boolean): boolean =>
  namespaced ? rest.length <= 5 || rest[4] === proxy : rest.length <= 3 || rest[2] === proxy;

function isNamespaced(rest: readonly string[]): boolean {
  const third = rest[2] ?? '';
  return rest[0] === 'namespaces' && third !== '' && !isNamespaceSubresource(third);
}

/** Decodes a path or a part of it. Returns `undefined` if an escape is malformed. */
export function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Called with each request to a deprecated version, once, before its execution. */
export type OnDeprecatedUse = (use: DeprecatedUse, request: ApiRequest) => void;

/** Returns the deprecation of a path. A scale of a built-in kind has a kind of its own, which is not deprecated. */
export function deprecationFor(
  { module, deprecation }: ResourceNames,
  subresource: Subresource | undefined,
): Deprecation | undefined {
  return subresource?.scale !== undefined && module.decoding === 'typed' ? undefined : deprecation;
}

/** Returns the use of a deprecated version, for its metric and the audit log. */
export function deprecatedUse(
  { module }: ResourceNames,
  subresource: Subresource | undefined,
  { removedRelease = '' }: Deprecation,
  { wellKnown }: Naming,
): DeprecatedUse {
  return {
    group: module.group,
    version: module.version,
    resource: module.names.plural,
    subresource: subresource?.name ?? '',
    removedRelease,
    annotations: {
      [wellKnown.deprecatedAnnotation]: 'true',
      ...(removedRelease === '' ? {} : { [wellKnown.removedReleaseAnnotation]: removedRelease }),
    },
  };
}
