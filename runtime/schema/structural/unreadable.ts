/** Finds keywords that a structural schema cannot have, and that prevent its check. */

import type { FieldError, JsonObject } from '../../contract/index.js';
import { fieldErrorText, invalidValue, joinErrors } from '../../objects/field-error.js';
import { stringAt } from '../../objects/guards.js';
import {
  itemsAt,
  junctorLists,
  says,
  schemaAt,
  schemaListAt,
  schemasAt,
  valueAt,
  type WrittenSchema,
} from './reading.js';
import { structuralErrors } from './structural-errors.js';

/** The keywords that a structural schema cannot have, in the order of reports. */
const refused = [
  'id',
  '$schema',
  '$ref',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
] as const;

/** Returns the problem of the first such keyword, or nothing if there is none. */
export function unreadableProblem(schema: WrittenSchema): string | undefined {
  for (const one of withAllBelow(schema)) {
    const keyword = refused.find((key) => isWritten(one, key));
    if (keyword !== undefined) return `OpenAPIV3Schema '${keyword.replace('$schema', 'schema')}' is not supported`;
    if (itemsAt(one, 'items').length > 0) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  }
  return undefined;
}

/** Returns whether a keyword has an effect. Empty maps have no effect. */
function isWritten(schema: WrittenSchema, key: string): boolean {
  if (key === 'additionalItems') return valueAt(schema, key) !== undefined;
  const map = schemaAt(schema, key);
  return map === undefined ? says(schema, key) : Object.keys(map).length > 0;
}

/** Yields a schema and all schemas below it, including those in junctors and `not`. */
export function* withAllBelow(schema: WrittenSchema): Generator<WrittenSchema> {
  const waiting = [schema];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    yield one;
    waiting.push(...schemasBelow(one));
  }
}

/** Yields the schemas directly below a schema. */
export function* schemasBelow(schema: WrittenSchema): Generator<WrittenSchema> {
  for (const key of ['items', 'additionalProperties', 'not']) {
    const below = schemaAt(schema, key);
    if (below !== undefined) yield below;
  }
  for (const [, property] of schemasAt(schema, 'properties')) yield property;
  for (const key of junctorLists) yield* schemaListAt(schema, key);
}

// Finds schemas of a definition that are not structural, for the status of the definition.

/** The values of a condition of the type `NonStructuralSchema`. `Unknown` means that a schema cannot be read. */
export interface SchemaFinding {
  readonly status: 'True' | 'Unknown';
  readonly reason: 'Violations' | 'StructuralError';
  readonly message: string;
}

/**
 * Returns why the schemas of a definition's spec are not structural. Returns nothing if they are. New definitions
 * always are.
 */
export function nonStructuralSchema(spec: JsonObject): SchemaFinding | undefined {
  const errors: FieldError[] = says(spec, 'preserveUnknownFields')
    ? [invalidValue('spec.preserveUnknownFields', true, 'must be false')]
    : [];
  for (const [i, version] of schemaListAt(spec, 'versions').entries()) {
    const schema = schemaAt(schemaAt(version, 'schema'), 'openAPIV3Schema');
    if (schema === undefined) continue;
    const problem = unreadableProblem(schema);
    if (problem !== undefined) {
      const message = `failed to check validation schema for version ${stringAt(version, 'name')}: ${problem}`;
      return { status: 'Unknown', reason: 'StructuralError', message };
    }
    errors.push(...structuralErrors(schema, `spec.versions[${i}].schema.openAPIV3Schema`));
  }
  if (errors.length === 0) return undefined;
  return { status: 'True', reason: 'Violations', message: joinErrors(errors.map(fieldErrorText)) };
}
