/** Checks documents against the JSON Schemas of their formats. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { isNativeKey } from '../../../runtime/schema/schema-keys.js';
import type { Problem, Report } from '../../diagnostics/problem.js';
import { CUSTOM_NODE, customResourceFormat } from './custom-resource-format.js';
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
 * Compiles the format of a kind, which waits for the first document of it. This is most of what a command with a single
 * definition takes; without a check of our own schemas, and without passes over the code, it takes less than half.
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

/** Schema nodes as CustomResourceDefinitions have them. */
function withoutNativeKeys(node: Record<string, unknown>): Record<string, unknown> {
  const properties = Object.entries(node.properties ?? {}).filter(([key]) => !isNativeKey(key));
  return { ...node, properties: Object.fromEntries(properties) };
}

/** A null is the same as nothing here, and a server drops unknown keys with a warning. */
function customProblem(error: ErrorObject, root: JsonObject): Problem | undefined {
  if (error.data === null) return undefined;
  return toProblem(error, root, 'KF2008');
}
