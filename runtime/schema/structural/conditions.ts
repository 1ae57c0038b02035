/** The finding that the schemas of a definition are not structural, as the status of the definition tells it. */
import type { FieldError, JsonObject } from '../../contract/index.js';
import { fieldErrorText, invalidValue, joinErrors } from '../../objects/field-error.js';
import { stringAt } from '../../objects/guards.js';
import { says, schemaAt, schemaListAt } from './reading.js';
import { structuralErrors } from './structural-errors.js';
import { unreadableProblem } from './unreadable.js';

/** The values of a condition of the type `NonStructuralSchema`; `Unknown` is for schemas that cannot be read. */
export interface SchemaFinding {
  readonly status: 'True' | 'Unknown';
  readonly reason: 'Violations' | 'StructuralError';
  readonly message: string;
}

/** Why the schemas of a definition's spec are not structural; nothing where they are, as all are that can be created. */
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
