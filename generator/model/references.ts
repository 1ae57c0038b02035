/** The syntax of `$ref`, and the places of references in a raw schema. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { get, isObject, type Raw, string, written } from '../../runtime/schema/read.js';
import type { Path } from '../diagnostics/problem.js';

/** A `$ref` in a raw schema. */
export interface Reference {
  /** As written: `<library>#/<Type>`. */
  readonly target: string;
  /** Path of the node that holds it, from the schema's root. */
  readonly path: Path;
  readonly node: JsonObject;
  /** Whether the reference may end here if it leads back to the type that contains it. */
  readonly mayCut: boolean;
}

const REFERENCE = /^[A-Za-z0-9][A-Za-z0-9._/-]*#\/[A-Za-z][A-Za-z0-9]*$/;

/** Returns whether a text has the form `<library>#/<Type>`, as in `meta/v1#/Condition`. */
export function isReference(text: string): boolean {
  return text.length <= 253 && REFERENCE.test(text);
}

/** Returns the full name of a library's type. */
export function typeName(library: string, type: string): string {
  return `${library}#/${type}`;
}

/** Returns the library of a reference. */
export function libraryOf(reference: string): string {
  return reference.slice(0, reference.indexOf('#'));
}

const MAPS_OF_NODES = new Set(['properties']);
const LISTS_OF_NODES = new Set(['allOf', 'anyOf', 'oneOf']);
const NODES = new Set(['items', 'additionalProperties', 'not']);

/** Returns the schema nodes directly below a raw node, with the path to each. */
export function childNodes(raw: JsonObject): readonly { readonly path: Path; readonly node: Raw }[] {
  const children: { path: Path; node: Raw }[] = [];
  for (const [key, value] of written(raw)) {
    if (NODES.has(key)) children.push({ path: [key], node: value });
    else if (MAPS_OF_NODES.has(key) && isObject(value)) {
      for (const [name, node] of Object.entries(value)) children.push({ path: [key, name], node });
    } else if (LISTS_OF_NODES.has(key) && Array.isArray(value)) {
      value.forEach((node, index) => {
        children.push({ path: [key, index], node });
      });
    }
  }
  return children;
}

/** Finds every `$ref` of a raw schema, in the order of the text. */
export function findReferences(raw: Raw): readonly Reference[] {
  const found: Reference[] = [];
  const visit = (node: Raw, path: Path): void => {
    if (!isObject(node)) return;
    const target = string(get(node, '$ref'));
    if (target !== undefined) {
      found.push({ target, path, node, mayCut: get(node, 'x-kubernetes-preserve-unknown-fields') === true });
    }
    for (const child of childNodes(node)) visit(child.node, [...path, ...child.path]);
  };
  visit(raw, []);
  return found;
}
