/** Paths in objects, in the notation of conversions. */

/** A key, or each item of the list at the keys before. */
export type Segment = { readonly key: string } | 'each';

/** Returns the segments of a path; the empty path is the value itself. Returns `undefined` for other texts. */
export function parsePath(path: string): readonly Segment[] | undefined {
  const segments: Segment[] = [];
  const token = /(?:(^|\.)([A-Za-z_$][\w$-]*))|(\[\])|\[("(?:[^"\\]|\\.)*")\]/y;
  while (token.lastIndex < path.length) {
    const start = token.lastIndex;
    const match = token.exec(path);
    if (match === null) return undefined;
    const [, separator, name, each, quoted] = match;
    if (name !== undefined && separator === '' && start > 0) return undefined;
    if (each !== undefined) segments.push('each');
    else segments.push({ key: name ?? unquote(quoted ?? '""') });
  }
  return segments;
}

function unquote(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return '';
  }
}

/** Returns a path as text. */
export function formatPath(segments: readonly Segment[]): string {
  return segments.reduce<string>((path, segment) => {
    if (segment === 'each') return `${path}[]`;
    if (!/^[A-Za-z_$][\w$-]*$/.test(segment.key)) return `${path}[${JSON.stringify(segment.key)}]`;
    return path === '' ? segment.key : `${path}.${segment.key}`;
  }, '');
}

/** A path, divided at the lists that it goes through: the keys to each list, and the keys after the last one. */
export interface Steps {
  readonly lists: readonly (readonly string[])[];
  readonly keys: readonly string[];
}

/** Divides a path at its lists. */
export function stepsOf(segments: readonly Segment[]): Steps {
  const lists: string[][] = [];
  let keys: string[] = [];
  for (const segment of segments) {
    if (segment !== 'each') keys.push(segment.key);
    else {
      lists.push(keys);
      keys = [];
    }
  }
  return { lists, keys };
}
