/** Checks documents against the JSON Schemas of their formats. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { JsonObject } from '../../runtime/contract/index.js';
import { isNativeKey } from '../../runtime/schema/schema-keys.js';
import type { Problem, Report } from '../diagnostics/problem.js';
import type { Definition, DocumentKind } from './document-kind.js';
import { toProblem } from './format-problems.js';
import { readFormatSchema } from './package-root.js';

const NODE = 'schema-node.schema.json';
const compiled = new Map<DocumentKind, ValidateFunction>();

/** Reports what the format of a definition's kind does not allow. */
export function checkFormat({ kind, value }: Definition, report: Report): void {
  const validate = compiled.get(kind) ?? compile(kind);
  compiled.set(kind, validate);
  if (validate(value)) return;
  for (const error of validate.errors ?? []) {
    const problem =
      kind === 'CustomResourceDefinition' ? customProblem(error, value) : toProblem(error, value, 'KF2003');
    if (problem !== undefined) report(problem);
  }
}

/**
 * Compiles the format of a kind when its first document is checked. For a single definition, this takes most of the
 * time. It takes less than half if it neither checks our own schemas nor optimizes the code.
 */
function compile(kind: DocumentKind): ValidateFunction {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    validateSchema: false,
    code: { optimize: false },
  });
  const node = readFormatSchema(NODE);
  if (kind === 'CustomResourceDefinition') {
    ajv.addSchema(withoutNativeKeys(node), CUSTOM_NODE);
    return ajv.compile(customResourceFormat);
  }
  ajv.addSchema(node, NODE);
  return ajv.compile(readFormatSchema(files[kind]));
}

const files = {
  ResourceDefinition: 'resource-definition.schema.json',
  TypeLibrary: 'type-library.schema.json',
} as const;

/** Returns a schema of nodes as CustomResourceDefinitions have them. */
function withoutNativeKeys(node: Record<string, unknown>): Record<string, unknown> {
  const properties = Object.entries(node.properties ?? {}).filter(([key]) => !isNativeKey(key));
  return { ...node, properties: Object.fromEntries(properties) };
}

/**
 * Converts an error in a CustomResourceDefinition. Ignores nulls. Unknown keys are warnings, because servers drop them.
 */
function customProblem(error: ErrorObject, root: JsonObject): Problem | undefined {
  if (error.data === null) return undefined;
  return toProblem(error, root, 'KF2008');
}

// The format of CustomResourceDefinitions as a JSON Schema, around the schema nodes that both formats share.

/** The name of the schema of its nodes. */
const CUSTOM_NODE = 'custom-schema-node';

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

/** Keys that may be missing or null. The server writes `status` itself, and nobody reads it here. */
const customResourceFormat = closed(
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
