/** Paths of fields below a rule's place, as rules write them and as errors print them. */
import type { Schema } from '../../contract/index.js';

/** Returns the path of a field. `path` is the path of its object; it is empty for the root. */
export const childPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** A path as errors print it, with the schema of the field; or the problem of the path. */
export type FieldPath =
  | { readonly ok: true; readonly path: string; readonly schema: Schema }
  | { readonly ok: false; readonly problem: string };

/** A name after a dot, or a text in quotes and brackets. */
const step = /\.(\.|[^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/suy;

/** Reads a path such as `.spec.labels['a.b']`. It must lead to a field of the schema or an entry of a map. */
export function fieldPathIn(schema: Schema, text: string): FieldPath {
  let place: Schema = schema;
  let path = '';
  let at = 0;
  while (at < text.length) {
    step.lastIndex = at;
    const found = step.exec(text);
    const name = found?.[1] ?? (found?.[2] === undefined ? undefined : unescaped(found[2]));
    if (name === undefined) return { ok: false, problem: problemAt(text.slice(at)) };
    const below = member(place, path, name);
    if (below === undefined) return { ok: false, problem: 'does not refer to a valid field' };
    ({ place, path } = below);
    at = step.lastIndex;
  }
  return { ok: true, path, schema: place };
}

/** Returns the problem of a rest that does not begin with a step. */
function problemAt(rest: string): string {
  if (!/^[.[]/.test(rest)) return `expected [ or . but got: ${tokenOf(rest)}`;
  if (rest === '.' || rest === '[') return 'unexpected end of JSON path';
  if (rest.startsWith('.')) return 'does not refer to a valid field';
  if (!rest.startsWith("['")) return `expected single quoted string but got ${tokenOf(rest.slice(1))}`;
  const after = /^\['(?:[^'\\]|\\.)*'(.+)$/su.exec(rest)?.[1];
  return after === undefined ? 'unexpected end of JSON path' : `expected ] but got ${tokenOf(after)}`;
}

const tokenOf = (text: string): string => /^(?:[.[\]]|[^.[\]]+)/u.exec(text)?.[0] ?? '';

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const unescaped = (text: string): string => text.replace(/\\(.)/gsu, (_, char: string) => escapes[char] ?? char);

function member(
  { properties = {}, additionalProperties }: Schema,
  path: string,
  name: string,
): { readonly place: Schema; readonly path: string } | undefined {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (property) return { place: property, path: childPath(path, name) };
  return typeof additionalProperties === 'object'
    ? { place: additionalProperties, path: `${path}[${name}]` }
    : undefined;
}
