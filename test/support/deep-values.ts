/** Values that nest deeply, and a kind that accepts them. */
import { customResource } from './kinds.js';

/** A kind that accepts any value in the spec of its objects. */
export const definition = customResource({
  kind: 'Free',
  schema: {
    type: 'object',
    properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  },
});

/** Functions that print a value of so many levels, by its shape. */
export const shapes: Readonly<Record<string, (levels: number) => string>> = {
  objects: (levels) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`,
  lists: (levels) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`,
};

/** Prints an object of the kind. */
export const freeOf = (name: string, spec: string, metadata = ''): string =>
  `{"apiVersion":"example.com/v1","kind":"Free","metadata":{"name":"${name}"${metadata}},"spec":${spec}}`;
