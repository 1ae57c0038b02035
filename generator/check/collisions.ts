/** Rules between resources: within a group every name means one resource. */
import type { Path, Problem } from '../diagnostics/problem.js';
import type { ResourceModel } from '../model/model.js';

/** A problem of one resource with another. */
export interface Collision<T> {
  readonly owner: T;
  readonly problem: Problem;
}

interface Owned<T> {
  readonly owner: T;
  readonly resource: ResourceModel;
}

/** Every name that is taken already when a resource asks for it, in the order in which resources are given. */
export function findCollisions<T>(resources: readonly Owned<T>[]): readonly Collision<T>[] {
  const found: Collision<T>[] = [];
  const taken = new Map<string, ResourceModel>();
  const defined = new Set<string>();
  for (const { owner, resource } of resources) {
    const { group, names } = resource;
    if (names.plural === '' || names.kind === '') continue;
    const id = `${group}/${names.plural}`;
    if (defined.has(id)) {
      found.push({ owner, problem: twice(resource, taken.get(`resource ${group} ${names.plural}`)) });
      continue;
    }
    defined.add(id);
    const claim = (space: string, name: string, path: Path): void => {
      const key = `${space} ${group} ${name}`;
      const holder = taken.get(key);
      if (holder === undefined) taken.set(key, resource);
      else if (holder !== resource) found.push({ owner, problem: clash(name, holder, path) });
    };
    claim('resource', names.plural, ['plural']);
    claim('resource', names.singular, ['singular']);
    names.shortNames.forEach((name, index) => {
      claim('resource', name, ['shortNames', index]);
    });
    claim('kind', names.kind, ['kind']);
    if (resource.verbs.includes('list')) claim('kind', names.listKind, ['listKind']);
  }
  return found;
}

function twice({ group, names }: ResourceModel, other: ResourceModel | undefined): Problem {
  const where = other === undefined ? '' : `, first in ${other.source.path}`;
  const id = group === '' ? names.plural : `${names.plural}.${group}`;
  return { code: 'KF4009', path: ['metadata', 'name'], message: `${id} is defined twice${where}` };
}

function clash(name: string, holder: ResourceModel, path: Path): Problem {
  const message = `"${name}" is a name of ${holder.names.plural} already, in ${holder.source.path}`;
  return { code: 'KF4010', path: ['spec', 'names', ...path], message };
}
