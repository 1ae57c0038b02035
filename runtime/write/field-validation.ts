/** Ignores unknown and duplicate fields, warns of them, or refuses the write and names them all. */
import { unknownRemarks } from '../codec/field-remarks.js';
import type { Failure, JsonObject } from '../contract/index.js';
import { type VerbRequest, warn } from '../request/verb-request.js';
import { notOfResource } from './decode/decode.js';
import { unknownInItsVersion } from './decode/other-version.js';
import type { FieldValidation } from './write-options.js';

/**
 * Reports the problems of a decoded body at the level asked for; `listed` is how a refusal lists them, `written` the
 * version that the body is in, where it is not the resource's.
 */
export function reportFields(
  verb: VerbRequest,
  level: FieldValidation,
  problems: readonly string[],
  listed: () => readonly string[] = () => problems,
  written?: string,
): Failure | undefined {
  if (problems.length === 0 || level === 'Ignore') return undefined;
  if (level === 'Strict') return notOfResource(verb.resource, `strict decoding error: ${listed().join(', ')}`, written);
  for (const problem of problems) warn(verb, problem);
  return undefined;
}

/**
 * Reports what a body in another version than the resource's has too much by its own version, which is told before the
 * body is refused for its version. `told` puts the remarks on unknown fields among others.
 */
export function reportOtherVersion(
  verb: VerbRequest,
  level: FieldValidation,
  body: JsonObject,
  told: (unknown: readonly string[]) => readonly string[],
  listed = told,
): Failure | undefined {
  if (level === 'Ignore' || typeof body.apiVersion !== 'string') return undefined;
  const unknown = unknownInItsVersion(verb.resource, body);
  if (unknown === undefined) return undefined;
  return reportFields(verb, level, told(unknown), () => listed(unknown), body.apiVersion);
}

/** Remarks on unknown fields of what has been put together here, as a patched object is. */
export const unknownOf = ({ resource }: VerbRequest, paths: readonly string[]): readonly string[] =>
  unknownRemarks(paths, resource.module.decoding);
