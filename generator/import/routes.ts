/** Reads the path of an operation: group, version, resource and subresource, and whether objects lie in namespaces. */

/** A path below `/api` or `/apis` that leads to a resource. */
export interface Route {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Whether the path goes through a namespace. */
  readonly namespaced: boolean;
  /** Whether it ends at one object, or below one. */
  readonly single: boolean;
  /** As in `status`; paths below a subresource, such as `proxy/{path}`, are part of it. */
  readonly subresource?: string;
  /** Whether it is one of the paths below `/watch/`. */
  readonly watch: boolean;
}

/** Takes a path apart; undefined where it leads to no resource, as discovery and version do not. */
export function parseRoute(path: string): Route | undefined {
  const [root, ...rest] = path.split('/').filter((part) => part !== '');
  const [group, version, parts] =
    root === 'api' ? ['', rest[0], rest.slice(1)] : root === 'apis' ? [rest[0], rest[1], rest.slice(2)] : [];
  if (group === undefined || version === undefined || parts === undefined) return undefined;
  if ([group, version].some(isVariable)) return undefined;
  const watch = parts[0] === 'watch';
  const below = watch ? parts.slice(1) : parts;
  const namespaced = below[0] === 'namespaces' && below[1] === '{namespace}' && below.length > 2;
  const [plural, name, subresource] = namespaced ? below.slice(2) : below;
  if (plural === undefined || isVariable(plural) || (name !== undefined && !isVariable(name))) return undefined;
  if (subresource !== undefined && isVariable(subresource)) return undefined;
  const route = { group, version, plural, namespaced, single: name !== undefined, watch };
  return subresource === undefined ? route : { ...route, subresource };
}

const isVariable = (part: string): boolean => part.startsWith('{');
