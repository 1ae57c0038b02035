/** Paths of fields in the form of `kubectl explain`: `spec.containers.image`, without list indexes and map keys. */

const plain = /^[^.[\]"]+$/;
const segment = /\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g;

/** Joins names. Writes a name with dots or brackets as in `data["a.b"]`; `kubectl explain` does not know this form. */
export const joinPath = (names: readonly string[]): string => names.reduce((path, name) => childPath(path, name), '');

/** Returns the path of a field below `path`; an empty path is the object. */
export function childPath(path: string, name: string): string {
  if (!plain.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

/** Splits a path into names. Never throws: reads as many names as it can from a path that `joinPath` did not make. */
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
