/** Constructors of failed requests, in the words that clients know. */
import type { AuthorizationAttributes, Failure, FailureDetails, FieldError, StatusReason } from '../contract/index.js';
import { fieldErrorText, joinErrors } from './field-error.js';
import { qualifiedName } from './gvk.js';
import { quote } from './printing.js';

type Causes = FailureDetails['causes'];

/** Details of a failure that belongs to no object; sent as `{}`. */
const noDetails: FailureDetails = {};

/** The message for an update whose object was changed by another writer first. */
export const objectModified =
  'the object has been modified; please apply your changes to the latest version and try again';

/** Details that name an object; the empty strings among them are left out when encoded. */
function objectDetails(group: string, kind: string, name: string): FailureDetails {
  return { name, group, kind };
}

/** 400: the request itself makes no sense. */
export function badRequest(message: string): Failure {
  return { reason: 'BadRequest', message };
}

/** 401: nobody knows who is asking. */
export function unauthorized(message = 'Unauthorized'): Failure {
  return { reason: 'Unauthorized', message };
}

/** 403 for an object, or for a collection where the name is empty; `why` is the end of the message. */
export function forbiddenObject(group: string, resource: string, name: string, why: string, causes?: Causes): Failure {
  const subject = qualifiedName(group, resource);
  const message = name === '' ? `${subject} is forbidden: ${why}` : `${subject} ${quote(name)} is forbidden: ${why}`;
  const details = objectDetails(group, resource, name);
  return { reason: 'Forbidden', message, details: causes === undefined ? details : { ...details, causes } };
}

/**
 * 403 from the authorizer; `reason` is what it had to say. What the client chose itself is safe to be shown as HTML.
 */
export function accessDenied(attributes: AuthorizationAttributes, reason = ''): Failure {
  const { user, verb, group, resource, subresource = '', namespace = '', name = '' } = attributes;
  const asked = subresource === '' ? resource : `${resource}/${subresource}`;
  const place = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`;
  const denied = withoutMarkup(
    `User ${quote(user.name)} cannot ${verb} resource ${quote(asked)} in API group ${quote(group)} ${place}`,
  );
  return forbiddenObject(group, resource, name, reason === '' ? denied : `${denied}: ${reason}`);
}

/** 403 for a path that is no resource. */
export function pathDenied(userName: string, verb: string, path: string, reason = ''): Failure {
  const denied = withoutMarkup(`forbidden: User ${quote(userName)} cannot ${verb} path ${quote(path)}`);
  return { reason: 'Forbidden', message: reason === '' ? denied : `${denied}: ${reason}`, details: noDetails };
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const withoutMarkup = (text: string): string =>
  /[&<>]/.test(text) ? text.replace(/[&<>]/g, (char) => entities[char] ?? char) : text;

/** 404 for an object. */
export function notFound(group: string, resource: string, name: string): Failure {
  const message = `${qualifiedName(group, resource)} ${quote(name)} not found`;
  return { reason: 'NotFound', message, details: objectDetails(group, resource, name) };
}

/** 404 for a path that nothing serves. */
export function genericNotFound(): Failure {
  return { reason: 'NotFound', message: 'the server could not find the requested resource', details: noDetails };
}

/** 405 for a path that does not take the method. */
export function methodNotSupported(): Failure {
  const message = 'the server does not allow this method on the requested resource';
  return { reason: 'MethodNotAllowed', message, details: noDetails };
}

/** 405 for a verb that a resource does not have while something holds, as in `while it is being deleted`. */
export function verbNotAllowed(verb: string, group: string, resource: string, circumstance: string): Failure {
  const message = `${verb} not allowed ${circumstance}`;
  return { reason: 'MethodNotAllowed', message, details: objectDetails(group, resource, '') };
}

/** 405 for a verb that a resource does not have for now (`create`, `delete` …). */
export function verbNotSupported(verb: string, group: string, resource: string): Failure {
  const message = `${verb} is not supported on resources of kind ${quote(qualifiedName(group, resource))}`;
  return { reason: 'MethodNotAllowed', message, details: objectDetails(group, resource, '') };
}

/** 406 for an Accept header that asks for nothing that is offered. */
export function notAcceptable(offered: readonly string[]): Failure {
  return { reason: 'NotAcceptable', message: `only the following media types are accepted: ${offered.join(', ')}` };
}

/** 409: the name is taken; `prefix` is put before the message, such as `object is being deleted: `. */
export function alreadyExists(group: string, resource: string, name: string, prefix = ''): Failure {
  const message = `${prefix}${qualifiedName(group, resource)} ${quote(name)} already exists`;
  return { reason: 'AlreadyExists', message, details: objectDetails(group, resource, name) };
}

/** 409: the object is not what the writer thought it was. */
export function conflict(group: string, resource: string, name: string, why = objectModified): Failure {
  const message = `Operation cannot be fulfilled on ${qualifiedName(group, resource)} ${quote(name)}: ${why}`;
  return { reason: 'Conflict', message, details: objectDetails(group, resource, name) };
}

/** One field that an apply may not take over. */
export interface ApplyConflict {
  /** As messages name the owner: `"kubectl" using v1`. */
  readonly owner: string;
  /** The path as messages write it: `.spec.replicas`. */
  readonly field: string;
}

/** 409: an apply without force hit fields of others. The order of owners and fields is the caller's. */
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

/** 410: what was asked for is gone and will not come back. */
export function gone(message: string): Failure {
  return { reason: 'Gone', message };
}

/** 410: a revision or token is older than the history that is kept. */
export function expired(message = 'The resourceVersion for the provided list is too old.'): Failure {
  return { reason: 'Expired', message };
}

/** 413: a body or a part of it is too large. */
export function requestEntityTooLarge(why: string): Failure {
  return { reason: 'RequestEntityTooLarge', message: `Request entity too large: ${why}` };
}

/** 415 for a body in a format that is not read. */
export function unsupportedMediaType(accepted: readonly string[]): Failure {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return { reason: 'UnsupportedMediaType', message };
}

/** The most errors that are told of one object, and the most characters they may have together but for the first. */
const maxTold = 10_000;
const maxCharacters = 1024 * 1024;

/** The errors that are told: some print the whole value that they are about, of which many would be too much. */
function told(errors: readonly FieldError[]): readonly FieldError[] {
  let characters = 0;
  const end = errors.findIndex(({ field, message }, i) => {
    characters += field.length + message.length;
    return i >= maxTold || (i > 0 && characters > maxCharacters);
  });
  return end < 0 ? errors : errors.slice(0, end);
}

/** 422: an object that breaks rules. Every error is a cause; the message says repeated ones once. */
export function invalid(group: string, kind: string, name: string, found: readonly FieldError[]): Failure {
  const errors = told(found);
  const subject = `${qualifiedName(group, kind)} ${quote(name)} is invalid`;
  const message = errors.length === 0 ? subject : `${subject}: ${joinErrors(errors.map(fieldErrorText))}`;
  const causes = errors.map(({ reason, message: text, field }) => ({ reason, message: text, field }));
  return { reason: 'Invalid', message, details: { ...objectDetails(group, kind, name), causes } };
}

/** 422 for a request that cannot be carried out, where no field is to blame. */
export function unprocessable(): Failure {
  const message = 'the server rejected our request due to an error in our request';
  return { reason: 'Invalid', message, details: noDetails };
}

/** 429: come back later. Seconds; 0 says nothing about when. */
export function tooManyRequests(message: string, retryAfterSeconds = 0, causes?: Causes): Failure {
  return { reason: 'TooManyRequests', message, details: retryDetails(retryAfterSeconds, causes) };
}

/** 500: something broke here; `problem` is shown to the client. */
export function internalFailure(problem: string): Failure {
  const message = `Internal error occurred: ${problem}`;
  return { reason: 'InternalError', message, details: { causes: [{ message: problem }] } };
}

/** A failure without a reason, as errors from outside the API come through. */
export function plainFailure(message: string, code = 500): Failure {
  return { reason: 'Unknown', message, code };
}

/** 500: an operation on a resource took too long and may be tried again. */
export function serverTimeout(operation: string, group: string, resource: string, retryAfterSeconds: number): Failure {
  const subject = qualifiedName(group, resource);
  const message = `The ${operation} operation against ${subject} could not be completed at this time, please try again.`;
  return { reason: 'ServerTimeout', message, details: { ...objectDetails(group, resource, ''), retryAfterSeconds } };
}

/** 503: the server cannot do this now. */
export function serviceUnavailable(message: string): Failure {
  return { reason: 'ServiceUnavailable', message };
}

/** 504: waiting did not help. */
export function timeout(why: string, retryAfterSeconds = 0, causes?: Causes): Failure {
  return { reason: 'Timeout', message: `Timeout: ${why}`, details: retryDetails(retryAfterSeconds, causes) };
}

/** 504: the store has not reached the revision that was asked for. */
export function tooLargeResourceVersion(wanted: number | bigint, current: number, retryAfterSeconds = 1): Failure {
  const problem = 'Too large resource version';
  const causes = [{ reason: 'ResourceVersionTooLarge' as const, message: problem }];
  return timeout(`${problem}: ${wanted}, current: ${current}`, retryAfterSeconds, causes);
}

function retryDetails(retryAfterSeconds: number, causes: Causes): FailureDetails {
  return { ...(causes === undefined ? {} : { causes }), ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }) };
}

/** A failure with another code than its reason has. */
export function withCode(failure: Failure, code: number): Failure {
  return { ...failure, code };
}

/** Whether a failure is of a reason, for callers that go on after some. */
export function isFailure(failure: Failure | undefined, reason: StatusReason): boolean {
  return failure?.reason === reason;
}

/** By the code that stands in the messages of Node.js; `folder` is the one that paths are seen from. */
const advice: Readonly<Record<string, (folder: string) => string>> = {
  ENOENT: (folder) => `is the path right? It is seen from ${folder}`,
  EACCES: () => 'this user may not do that: ls -l shows who may, chown and chmod change it',
  EPERM: () => 'this user may not do that: ls -l shows who may, chown and chmod change it',
  EISDIR: () => 'that is a folder: name a file in it',
  ENOTDIR: () => 'a part of the path is a file, where a folder is needed',
  ENOSPC: () => 'the disk is full: df -h shows which, and how much is left',
  EROFS: () => 'that cannot be written here: name a place on another disk',
  EMFILE: () => 'too many files are open: ulimit -n shows how many may be',
};

/** The message, on its line what to do, where it names an error of the operating system. */
export function withAdvice(message: string, folder: string): string {
  const [, code = ''] = /\b(E[A-Z]{3,})\b(?=:)/.exec(message) ?? [];
  const known = Object.hasOwn(advice, code) ? advice[code] : undefined;
  return known === undefined ? message : `${message}; ${known(folder)}`;
}
