/** Checks documents against the JSON Schemas of their formats. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { isNativeKey } from '../../../runtime/schema/reading/schema-keys.js';
import type { Problem, Report } from '../../diagnostics/problem.js';
import { CUSTOM_NODE, customResourceFormat } from './custom-resource-format.js';
import type { Definition, DocumentKind } from './document-kind.js';
import { toProblem } from './format-problems.js';
import { readFormatSchema } from './package-root.js';

const NODE = 'schema-node.schema.json';
let compiled: Readonly<Record<DocumentKind, ValidateFunction>> | undefined;

/** Reports what the format of a definition's kind does not allow. */
export function checkFormat({ kind, value }: Definition, report: Report): void {
  compiled ??= compile();
  const validate = compiled[kind];
  if (validate(value)) return;
  for (const error of validate.errors ?? []) {
    const problem =
      kind === 'CustomResourceDefinition' ? customProblem(error, value) : toProblem(error, value, 'KF2003');
    if (problem !== undefined) report(problem);
  }
}

/** Compiling takes some ten milliseconds, so it waits for the first document. */
function compile(): Readonly<Record<DocumentKind, ValidateFunction>> {
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: false });
  const node = readFormatSchema(NODE);
  ajv.addSchema(node, NODE);
  ajv.addSchema(withoutNativeKeys(node), CUSTOM_NODE);
  return {
    ResourceDefinition: ajv.compile(readFormatSchema('resource-definition.schema.json')),
    TypeLibrary: ajv.compile(readFormatSchema('type-library.schema.json')),
    CustomResourceDefinition: ajv.compile(customResourceFormat),
  };
}

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
