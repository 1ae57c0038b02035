/** Values that nest deeply, and a kind that takes any. */

/** A kind with objects that may have anything in their spec. */
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

/** A text of so many levels. */
export const shapes: Readonly<Record<string, (levels: number) => string>> = {
  objects: (levels) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`,
  lists: (levels) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`,
};

/** Prints an object of the kind. */
export const freeOf = (name: string, spec: string, metadata = ''): string =>
  `{"apiVersion":"example.com/v1","kind":"Free","metadata":{"name":"${name}"${metadata}},"spec":${spec}}`;
