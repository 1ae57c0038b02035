/** The format of CustomResourceDefinitions as a JSON Schema, around the schema nodes that both formats share. */

/** Where the schema of its nodes is found. */
export const CUSTOM_NODE = 'custom-schema-node';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const texts = { type: 'array', items: text } as const;

const closed = (properties: Readonly<Record<string, object>>, required: readonly string[] = []): object => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

const service = closed({ namespace: text, name: text, path: text, port: { type: 'integer' } }, ['namespace', 'name']);
const clientConfig = closed({ url: text, service, caBundle: text });
const webhook = closed({ clientConfig, conversionReviewVersions: texts }, ['conversionReviewVersions']);

const column = closed(
  { name: text, type: text, format: text, description: text, priority: { type: 'integer' }, jsonPath: text },
  ['name', 'type', 'jsonPath'],
);

const scale = closed({ specReplicasPath: text, statusReplicasPath: text, labelSelectorPath: text }, [
  'specReplicasPath',
  'statusReplicasPath',
]);

const version = closed(
  {
    name: text,
    served: flag,
    storage: flag,
    deprecated: flag,
    deprecationWarning: text,
    schema: closed({ openAPIV3Schema: { $ref: CUSTOM_NODE } }, ['openAPIV3Schema']),
    subresources: closed({ status: { type: 'object' }, scale }),
    additionalPrinterColumns: { type: 'array', items: column },
    selectableFields: { type: 'array', items: closed({ jsonPath: text }, ['jsonPath']) },
  },
  ['name', 'served', 'storage', 'schema'],
);

const names = closed(
  { plural: text, singular: text, kind: text, listKind: text, shortNames: texts, categories: texts },
  ['plural', 'kind'],
);

/** Keys that are absent, or null, count as not written. `status` is what a server once made of it, and is not read. */
export const customResourceFormat = closed(
  {
    apiVersion: text,
    kind: text,
    metadata: { type: 'object', required: ['name'], properties: { name: text } },
    spec: closed(
      {
        group: text,
        names,
        scope: { enum: ['Cluster', 'Namespaced'] },
        versions: { type: 'array', minItems: 1, items: version },
        conversion: closed({ strategy: { enum: ['None', 'Webhook'] }, webhook }, ['strategy']),
        preserveUnknownFields: { const: false },
      },
      ['group', 'names', 'scope', 'versions'],
    ),
    status: {},
  },
  ['metadata', 'spec'],
);
