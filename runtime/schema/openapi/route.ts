/** One operation of an OpenAPI document, for all versions of OpenAPI. */
import type { GroupVersionKind, HttpMethod } from './document.js';
import type { OpenApiNaming } from './naming.js';
import type { OpenApiResource } from './options.js';
import type { Parameter } from './parameters.js';

/** One operation: a method on a path. */
export interface Route {
  readonly path: string;
  readonly method: HttpMethod;
  readonly operationId: string;
  readonly tag: string;
  readonly description: string;
  /** The value of `x-kubernetes-action`; absent for discovery. */
  readonly action?: string;
  readonly gvk?: GroupVersionKind;
  readonly parameters: readonly Parameter[];
  /** The id of the body's definition, and the versions of OpenAPI in which the body is required. */
  readonly body?: { readonly definition: string; readonly requiredIn: readonly (2 | 3)[] };
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly answers: readonly Answer[];
}

/** A possible answer of the operation. */
export interface Answer {
  readonly code: '200' | '201' | '202';
  /** Id of the definition; absent for a text. */
  readonly definition?: string;
}

/** The data that all routes of a resource share. */
export interface RouteContext {
  readonly resource: OpenApiResource;
  readonly naming: OpenApiNaming;
  readonly release: string | undefined;
  readonly gvk: GroupVersionKind;
  readonly tag: string;
  /** The group and version as in operation ids: `StorageV1`. */
  readonly idPart: string;
  readonly name: Parameter;
  readonly object: string;
  readonly mediaTypes: readonly string[];
}

// Groups operations by path. Parameters that all operations of a path have in common belong to the path.

export interface PathGroup {
  readonly path: string;
  /** The parameters that all operations here have, sorted by name. */
  readonly shared: readonly Parameter[];
  readonly operations: readonly { readonly route: Route; readonly own: readonly Parameter[] }[];
}

/** Groups routes by path. Sorts paths and methods, so a document does not depend on the order of its resources. */
export function groupByPath(routes: readonly Route[]): PathGroup[] {
  const byPath = new Map<string, Route[]>();
  for (const route of routes) {
    const group = byPath.get(route.path);
    if (group === undefined) byPath.set(route.path, [route]);
    else group.push(route);
  }
  return [...byPath]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([path, group]) => toPathGroup(path, group));
}

function toPathGroup(path: string, routes: readonly Route[]): PathGroup {
  const [first, ...others] = routes;
  const shared = (first?.parameters ?? []).filter((parameter) =>
    others.every((route) => route.parameters.includes(parameter)),
  );
  return {
    path,
    shared: sorted(shared),
    operations: [...routes]
      .sort((left, right) => (left.method < right.method ? -1 : 1))
      .map((route) => ({ route, own: sorted(route.parameters.filter((parameter) => !shared.includes(parameter))) })),
  };
}

function sorted(parameters: readonly Parameter[]): readonly Parameter[] {
  return [...parameters].sort((left, right) => (left.name < right.name ? -1 : 1));
}
