/** Paths of fields as `kubectl explain` takes them: `spec.containers.image`, without list indexes and map keys. */

const plain = /^[^.[\]"]+$/;
const segment = /\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g;

/** Joins names. A name with dots or brackets is written as in `data["a.b"]`, which `kubectl explain` does not know. */
export const joinPath = (names: readonly string[]): string => names.reduce((path, name) => childPath(path, name), '');

/** Returns the path of a field of the field at `path`; an empty path means the object. */
export function childPath(path: string, name: string): string {
  if (!plain.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

/** Splits a path into names. Never throws: a path that `joinPath` did not make has the names that can be read in it. */
export function splitPath(path: string): readonly string[] {
  return [...path.matchAll(segment)].map(([, quoted, name]) =>
    quoted === undefined ? (name ?? '') : unquoted(quoted),
  );
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
