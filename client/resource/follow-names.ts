/** Reads the objects that an object names, by the references in its descriptor. */
import { parsePath } from '../../runtime/objects/selectors/object-path.js';
import type { FollowedField, ResourceDescriptor } from '../descriptor.js';
import type { ApiObjectLike } from '../types.js';

/** The part of a client that reads what objects name. */
export interface FollowingClient<T, TFollowed> {
  /**
   * Returns a function for each field that names an object, as in `await environments.follow(environment).project()`.
   * The function reads the named object now. It resolves to `undefined` if the field is empty, and to a list if the
   * field is a list. It throws an error for which `isNotFound` is true if the object does not exist.
   */
  follow(object: T): {
    readonly [Name in keyof TFollowed]: () => Promise<
      TFollowed[Name] extends readonly unknown[] ? TFollowed[Name] : TFollowed[Name] | undefined
    >;
  };
}

/** Makes a client of another resource, in a namespace if one is given. */
type ClientFor = (
  target: ResourceDescriptor<ApiObjectLike>,
  namespace: string | undefined,
) => { get(name: string): Promise<ApiObjectLike> };

/** Returns the functions for an object. They send no request until they are called. */
export function followNames(
  object: ApiObjectLike,
  follows: Readonly<Record<string, FollowedField>>,
  clientFor: ClientFor,
): Readonly<Record<string, () => Promise<unknown>>> {
  const read = async ({ field, namespaceField, ...target }: FollowedField): Promise<unknown> => {
    const names = valuesAt(object, field);
    const beside = namespaceField === undefined ? [] : valuesAt(object, namespaceField);
    const found = names.map(async (name, index) => {
      const namespace = beside[index] || object.metadata.namespace;
      const place = target.scope === 'Namespaced' ? namespace : undefined;
      return name === '' ? undefined : clientFor({ ...target, subresources: [] }, place).get(name);
    });
    const all = await Promise.all(found);
    return field.includes('[]') ? all.filter((each) => each !== undefined) : all[0];
  };
  return Object.fromEntries(Object.entries(follows).map(([name, followed]) => [name, () => read(followed)]));
}

/** Returns the texts at a path such as `spec.members[].user`. A place without a text gives an empty one. */
function valuesAt(object: unknown, path: string): readonly string[] {
  let at: readonly unknown[] = [object];
  for (const segment of parsePath(path) ?? []) {
    if (segment === 'each') at = at.flatMap((value) => (Array.isArray(value) ? value : []));
    else at = at.map((value) => memberOf(value, segment.key));
  }
  return at.map((value) => (typeof value === 'string' ? value : ''));
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
