/** Paths of fields below a rule's place, as rules write them and as errors print them. */
import type { Schema } from '../../contract/index.js';

/** The path of a field of an object; that of the whole object is empty. */
export const childPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const step = /\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/y;

/** A path such as `.spec.labels['a.b']` as errors print it; empty where it leads to no field of the schema. */
export function fieldPathIn(schema: Schema, text: string): string {
  let place: Schema = schema;
  let path = '';
  let at = 0;
  while (at < text.length) {
    step.lastIndex = at;
    const found = step.exec(text);
    const name = found?.[1] ?? found?.[2]?.replace(/\\(.)/g, '$1');
    const below = name === undefined ? undefined : member(place, path, name);
    if (below === undefined) return '';
    ({ place, path } = below);
    at = step.lastIndex;
  }
  return path;
}

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
