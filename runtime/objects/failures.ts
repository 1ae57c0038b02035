/** Makes the failures of requests, with the messages that clients know. */
import type { AuthorizationAttributes, Failure, FailureDetails, FieldError, StatusReason } from '../contract/index.js';
import { fieldErrorText, joinErrors } from './field-error.js';
import { qualifiedName } from './names/names.js';
import { quote } from './printing.js';

type Causes = FailureDetails['causes'];

/** Details of a failure that is not about an object; sent as `{}`. */
const noDetails: FailureDetails = {};

/** The message for an update of an object that another writer changed first. */
export const objectModified =
  'the object has been modified; please apply your changes to the latest version and try again';

/** Details that name an object. The encoder leaves out empty strings. */
function objectDetails(group: string, kind: string, name: string): FailureDetails {
  return { name, group, kind };
}

/** Returns a 400 for a request that makes no sense. */
export function badRequest(message: string): Failure {
  return { reason: 'BadRequest', message };
}

/** Returns a 401 for a caller who could not be authenticated. */
export function unauthorized(message = 'Unauthorized'): Failure {
  return { reason: 'Unauthorized', message };
}

/** Returns a 403 for an object, or for a collection if the name is empty. `why` ends the message. */
export function forbiddenObject(group: string, resource: string, name: string, why: string, causes?: Causes): Failure {
  const subject = qualifiedName(group, resource);
  const message = name === '' ? `${subject} is forbidden: ${why}` : `${subject} ${quote(name)} is forbidden: ${why}`;
  const details = objectDetails(group, resource, name);
  return { reason: 'Forbidden', message, details: causes === undefined ? details : { ...details, causes } };
}

/** Returns a 403 with the authorizer's `reason`. Text that the client chose is escaped, so it is safe in HTML. */
export function accessDenied(attributes: AuthorizationAttributes, reason = ''): Failure {
  const { user, verb, group, resource, subresource = '', namespace = '', name = '' } = attributes;
  const asked = subresource === '' ? resource : `${resource}/${subresource}`;
  const place = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`;
  const denied = withoutMarkup(
    `User ${quote(user.name)} cannot ${verb} resource ${quote(asked)} in API group ${quote(group)} ${place}`,
  );
  return forbiddenObject(group, resource, name, reason === '' ? denied : `${denied}: ${reason}`);
}

/** Returns a 403 for a path that is not a resource. */
export function pathDenied(userName: string, verb: string, path: string, reason = ''): Failure {
  const denied = withoutMarkup(`forbidden: User ${quote(userName)} cannot ${verb} path ${quote(path)}`);
  return { reason: 'Forbidden', message: reason === '' ? denied : `${denied}: ${reason}`, details: noDetails };
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const withoutMarkup = (text: string): string =>
  /[&<>]/.test(text) ? text.replace(/[&<>]/g, (char) => entities[char] ?? char) : text;

/** Returns a 404 for an object. */
export function notFound(group: string, resource: string, name: string): Failure {
  const message = `${qualifiedName(group, resource)} ${quote(name)} not found`;
  return { reason: 'NotFound', message, details: objectDetails(group, resource, name) };
}

/** Returns a 404 for a path that is not served. */
export function genericNotFound(): Failure {
  return { reason: 'NotFound', message: 'the server could not find the requested resource', details: noDetails };
}

/** Returns a 405 for a path that does not accept the method. */
export function methodNotSupported(): Failure {
  const message = 'the server does not allow this method on the requested resource';
  return { reason: 'MethodNotAllowed', message, details: noDetails };
}

/** Returns a 405 for a verb that a resource does not have in some circumstance, such as `while it is being deleted`. */
export function verbNotAllowed(verb: string, group: string, resource: string, circumstance: string): Failure {
  const message = `${verb} not allowed ${circumstance}`;
  return { reason: 'MethodNotAllowed', message, details: objectDetails(group, resource, '') };
}

/** Returns a 405 for a verb (`create`, `delete` …) that a resource does not currently have. */
export function verbNotSupported(verb: string, group: string, resource: string): Failure {
  const message = `${verb} is not supported on resources of kind ${quote(qualifiedName(group, resource))}`;
  return { reason: 'MethodNotAllowed', message, details: objectDetails(group, resource, '') };
}

/** Returns a 406 for an Accept header that allows none of the offered types. */
export function notAcceptable(offered: readonly string[]): Failure {
  return { reason: 'NotAcceptable', message: `only the following media types are accepted: ${offered.join(', ')}` };
}

/** Returns a 409 for a name that is taken. `prefix` goes before the message, such as `object is being deleted: `. */
export function alreadyExists(group: string, resource: string, name: string, prefix = ''): Failure {
  const message = `${prefix}${qualifiedName(group, resource)} ${quote(name)} already exists`;
  return { reason: 'AlreadyExists', message, details: objectDetails(group, resource, name) };
}

/** Returns a 409 for an object that is not in the state the writer expected. */
export function conflict(group: string, resource: string, name: string, why = objectModified): Failure {
  const message = `Operation cannot be fulfilled on ${qualifiedName(group, resource)} ${quote(name)}: ${why}`;
  return { reason: 'Conflict', message, details: objectDetails(group, resource, name) };
}

/** One field that an apply may not take over. */
export interface ApplyConflict {
  /** The owner as messages name it: `"kubectl" using v1`. */
  readonly owner: string;
  /** The path as messages write it: `.spec.replicas`. */
  readonly field: string;
}

/**
 * Returns a 409 for an apply without force that changes fields of other managers. Keeps the order of owners and fields.
 */
export function applyConflict(conflicts: readonly ApplyConflict[]): Failure {
  const causes = conflicts.map(({ owner, field }) => ({
    reason: 'FieldManagerConflict' as const,
    message: `conflict with ${owner}`,
    field,
  }));
  const [only] = causes;
  if (causes.length === 1 && only !== undefined) {
    const message = `Apply failed with 1 conflict: ${only.message}: ${only.field}`;
    return { reason: 'Conflict', message, details: { causes } };
  }
  const lines = [...new Set(conflicts.map(({ owner }) => owner))].flatMap((owner) => [
    `conflicts with ${owner}:`,
    ...conflicts.filter((one) => one.owner === owner).map(({ field }) => `- ${field}`),
  ]);
  const message = `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
  return { reason: 'Conflict', message, details: { causes } };
}

/** Returns a 410 for something that is gone and will not come back. */
export function gone(message: string): Failure {
  return { reason: 'Gone', message };
}

/** Returns a 410 for a revision or token that is older than the kept history. */
export function expired(message = 'The resourceVersion for the provided list is too old.'): Failure {
  return { reason: 'Expired', message };
}

/** Returns a 413 for a body that is too large, or has a part that is. */
export function requestEntityTooLarge(why: string): Failure {
  return { reason: 'RequestEntityTooLarge', message: `Request entity too large: ${why}` };
}

/** Returns a 415 for a body in an unsupported format. */
export function unsupportedMediaType(accepted: readonly string[]): Failure {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return { reason: 'UnsupportedMediaType', message };
}

/** The most errors to report for one object, and the most characters of all errors after the first. */
const maxTold = 10_000;
const maxCharacters = 1024 * 1024;

/** Returns the errors to report. Some errors print the whole value, so many of them would be too long. */
function told(errors: readonly FieldError[]): readonly FieldError[] {
  let characters = 0;
  const end = errors.findIndex(({ field, message }, i) => {
    characters += field.length + message.length;
    return i >= maxTold || (i > 0 && characters > maxCharacters);
  });
  return end < 0 ? errors : errors.slice(0, end);
}

/** Returns a 422 for an invalid object. Every error is a cause; the message has each distinct error once. */
export function invalid(group: string, kind: string, name: string, found: readonly FieldError[]): Failure {
  const failure = invalidIn(group, kind, name, found);
  if (!found.some(({ later }) => later !== undefined)) return failure;
  const later = invalidIn(group, kind, name, found.map(inLaterWords));
  return { ...failure, later };
}

const inLaterWords = ({ reason, field, message, later = message }: FieldError): FieldError => ({
  reason,
  field,
  message: later,
});

function invalidIn(group: string, kind: string, name: string, found: readonly FieldError[]): Failure {
  const errors = told(found);
  const subject = `${qualifiedName(group, kind)} ${quote(name)} is invalid`;
  const message = errors.length === 0 ? subject : `${subject}: ${joinErrors(errors.map(fieldErrorText))}`;
  const causes = errors.map(({ reason, message: text, field }) => ({ reason, message: text, field }));
  return { reason: 'Invalid', message, details: { ...objectDetails(group, kind, name), causes } };
}

/** Returns a 422 for a request that cannot be carried out for a reason other than a field. */
export function unprocessable(): Failure {
  const message = 'the server rejected our request due to an error in our request';
  return { reason: 'Invalid', message, details: noDetails };
}

/** Returns a 429. `retryAfterSeconds` is 0 if the client may choose when to retry. */
export function tooManyRequests(message: string, retryAfterSeconds = 0, causes?: Causes): Failure {
  return { reason: 'TooManyRequests', message, details: retryDetails(retryAfterSeconds, causes) };
}

/** Returns a 500 for an internal error; `problem` is shown to the client. */
export function internalFailure(problem: string): Failure {
  const message = `Internal error occurred: ${problem}`;
  return { reason: 'InternalError', message, details: { causes: [{ message: problem }] } };
}

/** Returns a failure without a reason, for errors from outside the API. */
export function plainFailure(message: string, code = 500): Failure {
  return { reason: 'Unknown', message, code };
}

/** Returns a 500 for an operation that took too long and may be retried. */
export function serverTimeout(operation: string, group: string, resource: string, retryAfterSeconds: number): Failure {
  const subject = qualifiedName(group, resource);
  const message = `The ${operation} operation against ${subject} could not be completed at this time, please try again.`;
  return { reason: 'ServerTimeout', message, details: { ...objectDetails(group, resource, ''), retryAfterSeconds } };
}

/** Returns a 503 for something that the server cannot do at the moment. */
export function serviceUnavailable(message: string): Failure {
  return { reason: 'ServiceUnavailable', message };
}

/** Returns a 504 for a wait that ended without success. */
export function timeout(why: string, retryAfterSeconds = 0, causes?: Causes): Failure {
  return { reason: 'Timeout', message: `Timeout: ${why}`, details: retryDetails(retryAfterSeconds, causes) };
}

/** Returns a 504 for a store that has not reached the requested revision. */
export function tooLargeResourceVersion(wanted: number | bigint, current: number, retryAfterSeconds = 1): Failure {
  const problem = 'Too large resource version';
  const causes = [{ reason: 'ResourceVersionTooLarge' as const, message: problem }];
  return timeout(`${problem}: ${wanted}, current: ${current}`, retryAfterSeconds, causes);
}

function retryDetails(retryAfterSeconds: number, causes: Causes): FailureDetails {
  return { ...(causes === undefined ? {} : { causes }), ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }) };
}

/** Returns a failure with a code that differs from the usual code of its reason. */
export function withCode(failure: Failure, code: number): Failure {
  return { ...failure, code };
}

/** Returns whether a failure has a reason, for callers that continue after it. */
export function isFailure(failure: Failure | undefined, reason: StatusReason): boolean {
  return failure?.reason === reason;
}

/** Advice by the error code in messages of Node.js. Paths are relative to `folder`. */
const advice: Readonly<Record<string, (folder: string) => string>> = {
  ENOENT: (folder) => `check the path; a relative path begins at ${folder}`,
  EACCES: () => 'this user does not have the right: ls -l shows the rights, chown and chmod change them',
  EPERM: () => 'this user does not have the right: ls -l shows the rights, chown and chmod change them',
  EISDIR: () => 'this is a folder: name a file in it',
  ENOTDIR: () => 'a part of the path is a file: name a folder instead',
  ENOSPC: () => 'the disk is full: df -h shows the free space of each disk',
  EROFS: () => 'this disk is read-only: name a path on another disk',
  EMFILE: () => 'too many files are open: ulimit -n shows the limit',
};

/** Returns the message, followed by advice if it names an error of the operating system. */
export function withAdvice(message: string, folder: string): string {
  const [, code = ''] = /\b(E[A-Z]{3,})\b(?=:)/.exec(message) ?? [];
  const known = Object.hasOwn(advice, code) ? advice[code] : undefined;
  return known === undefined ? message : `${message}; ${known(folder)}`;
}
