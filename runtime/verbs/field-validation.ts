/** What becomes of unknown and duplicate fields: silence, warnings, or a refusal that names them all. */
import type { Failure } from '../contract/index.js';
import { notOfResource } from '../pipeline/decode.js';
import { type VerbRequest, warn } from './verb-request.js';
import type { FieldValidation } from './write-options.js';

/** Reports the problems of a decoded body at the level asked for; `listed` is how a refusal lists them. */
export function reportFields(
  verb: VerbRequest,
  level: FieldValidation,
  problems: readonly string[],
  listed: () => readonly string[] = () => problems,
): Failure | undefined {
  if (problems.length === 0 || level === 'Ignore') return undefined;
  if (level === 'Strict') return notOfResource(verb.resource, `strict decoding error: ${listed().join(', ')}`);
  for (const problem of problems) warn(verb, problem);
  return undefined;
}
