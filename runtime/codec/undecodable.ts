/** The failures of bodies that are not an object of the route's kind. */
import type { Failure, JsonValue } from '../contract/index.js';
import { badRequest } from '../objects/failures.js';
import { quote } from '../objects/printing.js';
import type { Decoded } from './json.js';
import { jsonTypeOf } from './json.js';

export { duplicateFieldRemark, unknownFieldRemark } from './remarks.js';

const shownBytes = 30;

/** Returns the beginning of a body for a message: as text if it looks like an object, otherwise in hexadecimal. */
export function excerpt(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const shown = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, shownBytes));
  const text = body[0] === 0x7b ? shown.toString('utf8') : shown.toString('hex');
  return body.length > shownBytes ? `${text} ...` : text;
}

/**
 * Returns the failure of an unreadable body. `problem` is in the decoder's words. `kind` is the expected kind; without
 * it, the message is only the problem.
 */
export function unrecognized(kind: string | undefined, problem: string, body: Uint8Array): Failure {
  if (kind === undefined) return badRequest(problem);
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${problem} (${excerpt(body)})`);
}

/** Returns the decoder's words for invalid JSON. */
export function syntaxProblem(problem: string): string {
  return `couldn't get version/kind; json parse error: ${problem}`;
}

/** Returns the decoder's words for JSON that is not an object. */
export function notAnObject(value: JsonValue): string {
  const struct =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  return syntaxProblem(`json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type ${struct}`);
}

/** Returns the failure of a body that the decoder refused. */
export function unreadable(
  kind: string | undefined,
  decoded: Decoded & { readonly ok: false },
  body: Uint8Array,
): Failure {
  const problem = decoded.syntax === 'json' ? syntaxProblem(decoded.problem) : decoded.problem;
  return unrecognized(kind, problem, body);
}

/** Returns the remarks of strict validation on a decoded body: first on repeated fields, then on unknown fields. */
export function strictRemarks(decoded: Decoded & { readonly ok: true }, unknown: readonly string[]): readonly string[] {
  const { syntax, remarks } = decoded;
  if (syntax === 'json' || remarks.length === 0) return [...remarks, ...unknown];
  return [`yaml: unmarshal errors:\n  ${remarks.join('\n  ')}`, ...unknown];
}

/** Returns the failure of a body with another kind than the route's. */
export function mismatched(
  found: { readonly kind: string; readonly version: string },
  kind: string,
  problem: string,
): Failure {
  return badRequest(`${found.kind} in version ${quote(found.version)} cannot be handled as a ${kind}: ${problem}`);
}
