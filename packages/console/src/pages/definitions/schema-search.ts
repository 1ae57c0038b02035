/** Finds fields of a schema by words in their names and descriptions, a little at a time. */
import { textAt } from './json.js';
import { childOf, rootField, type SchemaField, type SchemaSource } from './schema-tree.js';

/** The most fields that are found, and that are looked at. */
const maxHits = 100;
const maxVisited = 50_000;
/** How long the search may run before others may, milliseconds. */
const sliceMs = 8;

export interface SearchResult {
  readonly fields: readonly SchemaField[];
  /** `ended` if all fields were looked at, `bounded` if there may be more. */
  readonly state: 'running' | 'ended' | 'bounded';
}

/** Reports what has been found so far after each slice. Stops when the signal is aborted. */
export async function searchFields(
  source: SchemaSource,
  words: string,
  report: (result: SearchResult) => void,
  signal: AbortSignal,
): Promise<void> {
  const steps = matches(source, words);
  const fields: SchemaField[] = [];
  while (!signal.aborted) {
    const until = performance.now() + sliceMs;
    do {
      const { done, value } = steps.next();
      if (value instanceof Object) fields.push(value);
      if (done || fields.length >= maxHits) {
        report({ fields, state: value === 'ended' ? 'ended' : 'bounded' });
        return;
      }
    } while (performance.now() < until);
    report({ fields: [...fields], state: 'running' });
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/**
 * Yields a field that matches, or `undefined` after one that does not; those nearest to the object come first. A schema
 * that refers to itself is not entered again below itself.
 */
export function* matches(
  source: SchemaSource,
  words: string,
): Generator<SchemaField | undefined, 'ended' | 'bounded', undefined> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const open: SchemaField[] = [rootField(source)];
  for (let i = 0, visited = 0; i < open.length; i++) {
    const parent = open[i];
    for (const name of Object.keys(parent?.properties ?? {})) {
      const field = parent && childOf(source, parent, name);
      if (!field) continue;
      if (++visited > maxVisited) return 'bounded';
      yield isMatch(field, wanted) ? field : undefined;
      if (new Set(field.via).size === field.via.length) open.push(field);
    }
  }
  return 'ended';
}

/** Returns whether each word is in the path or in the description, and one of them not only above the field. */
function isMatch({ name, path, schema }: SchemaField, wanted: readonly string[]): boolean {
  const own = `${name}\n${textAt(schema, 'description')}`.toLowerCase();
  const all = `${path.toLowerCase()}\n${own}`;
  return wanted.every((word) => all.includes(word)) && wanted.some((word) => own.includes(word) || word.includes('.'));
}
