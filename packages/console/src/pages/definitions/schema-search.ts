/** Finds fields of a schema by words in their names and descriptions, a little at a time. */
import { textAt } from './json.js';
import { childOf, rootField, type SchemaField, type SchemaSource } from './schema-tree.js';

/** The most fields to find, and to check. */
const maxHits = 100;
const maxVisited = 50_000;
/** The longest step of the search before other work may run, milliseconds. */
const sliceMs = 8;

export interface SearchResult {
  readonly fields: readonly SchemaField[];
  /** `ended` if all fields were checked, `bounded` if there may be more. */
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
 * Yields each field that matches, and `undefined` for each that does not, from the top of the object down. Does not
 * enter a schema again below itself.
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

/**
 * Returns whether the path or the description contains each word, and at least one word is not only in the path above
 * the field.
 */
function isMatch({ name, path, schema }: SchemaField, wanted: readonly string[]): boolean {
  const own = `${name}\n${textAt(schema, 'description')}`.toLowerCase();
  const all = `${path.toLowerCase()}\n${own}`;
  return wanted.every((word) => all.includes(word)) && wanted.some((word) => own.includes(word) || word.includes('.'));
}
