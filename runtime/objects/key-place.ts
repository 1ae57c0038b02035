/** Where an object is, by its key in the store. */

/** Returns the namespace and name of a key below the prefix of its resource; the namespace is empty for cluster scope. */
export function placeOf(prefix: string, key: string): readonly [namespace: string, name: string] {
  const rest = key.slice(prefix.length);
  const slash = rest.indexOf('/');
  return [rest.slice(0, Math.max(0, slash)), rest.slice(slash + 1)];
}
