/** The rule on the types of fields that columns and subresources point to. */
import type { Schema } from '../../runtime/contract/index.js';
import { get, type Raw } from '../../runtime/schema/read.js';
import type { Path, Report } from '../diagnostics/problem.js';
import type { VersionModel } from '../model/model.js';
import { followObject, isImplied, type Step, schemaSteps } from './json-path.js';
import { writtenPath } from './written-path.js';

/** A path with the types that its target may have. */
export interface Pointer {
  readonly steps: readonly Step[];
  /** Place of the path in the definition. */
  readonly path: Path;
  /** The types that fit. */
  readonly types: readonly Schema['type'][];
  /** The user of the path, as in `column "Age"`. */
  readonly user: string;
}

/**
 * Reports a target of another type, at the path and at the field, if the definition writes that field. `index` is the
 * version's place in `spec.versions`.
 */
export function checkTargetType(
  raw: Raw,
  version: VersionModel,
  index: number,
  pointer: Pointer,
  report: Report,
): void {
  const { steps, path, types, user } = pointer;
  const { found } = followObject(version.schema, steps);
  if (found === undefined || found === 'anything' || fits(found, types)) return;
  const wanted = types.join(' or ');
  const type = found['x-kubernetes-int-or-string'] === true ? 'integer or string' : found.type;
  report({ code: 'KF4038', path, message: `${user} requires type ${wanted}, but the field has type ${type}` });
  if (isImplied(steps)) return;
  const root = get(get(raw, 'schema'), 'openAPIV3Schema');
  const start = ['spec', 'versions', index, 'schema', 'openAPIV3Schema'];
  const field = writtenPath(root, start, schemaSteps(steps, version.schema));
  report({
    code: 'KF4038',
    path: field,
    at: 'key',
    message: `the field has type ${type}, but ${user} requires ${wanted}`,
  });
}

/** Returns whether some value of the field has one of the types. */
function fits(schema: Schema, types: readonly Schema['type'][]): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) return types.includes('integer') || types.includes('string');
  return schema.type === undefined || types.includes(schema.type);
}
