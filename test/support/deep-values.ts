/** Values that nest deeply, and a kind that accepts them. */

/** A kind that accepts any value in the spec of its objects. */
export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'frees.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'frees', singular: 'free', kind: 'Free', listKind: 'FreeList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
    ],
  },
};

/** Functions that print a value of so many levels, by its shape. */
export const shapes: Readonly<Record<string, (levels: number) => string>> = {
  objects: (levels) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`,
  lists: (levels) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`,
};

/** Prints an object of the kind. */
export const freeOf = (name: string, spec: string, metadata = ''): string =>
  `{"apiVersion":"example.com/v1","kind":"Free","metadata":{"name":"${name}"${metadata}},"spec":${spec}}`;
