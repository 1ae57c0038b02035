/** Groups operations by path, with the parameters that all operations of a path take pulled up to the path. */
import type { Parameter } from './parameters.js';
import type { Route } from './route.js';

export interface PathGroup {
  readonly path: string;
  /** Parameters of every operation here, by name. */
  readonly shared: readonly Parameter[];
  readonly operations: readonly { readonly route: Route; readonly own: readonly Parameter[] }[];
}

/** Paths in sorted order, methods in sorted order: a document does not depend on the order of its resources. */
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
