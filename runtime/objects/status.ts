/** Turns failures into `Status` bodies and HTTP codes; nowhere else is a Status built. Lists all reasons for the docs. */
import type { CauseReason, Failure, FailureDetails, JsonObject, StatusReason } from '../contract/index.js';

export * from './failures.js';

/** Returns the usual HTTP code of a reason. */
export function codeOf(reason: StatusReason): number {
  return reasons[reason].code;
}

/** A `Status` body and the HTTP code to send it with. */
export interface StatusAnswer {
  readonly code: number;
  readonly body: JsonObject;
}

/** Returns the answer to a failed request. */
export function toStatus(failure: Failure): StatusAnswer {
  const code = failure.code ?? codeOf(failure.reason);
  const body = status('Failure');
  if (failure.continueToken !== undefined) body.metadata = { continue: failure.continueToken };
  if (failure.message !== '') body.message = failure.message;
  if (failure.reason !== 'Unknown') body.reason = failure.reason;
  if (failure.details !== undefined) body.details = encodeDetails(failure.details);
  if (failure.given?.reason) body.reason = failure.given.reason;
  if (failure.given?.details) body.details = failure.given.details;
  body.code = code;
  return { code, body };
}

function status(outcome: 'Success' | 'Failure'): JsonObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: outcome };
}

/** Encodes details without empty strings and lists, as clients expect. */
function encodeDetails(details: FailureDetails): JsonObject {
  const { name, group, kind, uid, causes, retryAfterSeconds } = details;
  const encoded: JsonObject = {};
  if (name) encoded.name = name;
  if (group) encoded.group = group;
  if (kind) encoded.kind = kind;
  if (uid) encoded.uid = uid;
  if (causes !== undefined && causes.length > 0) encoded.causes = causes.map(encodeCause);
  if (retryAfterSeconds) encoded.retryAfterSeconds = retryAfterSeconds;
  return encoded;
}

function encodeCause({ reason, message, field }: NonNullable<FailureDetails['causes']>[number]): JsonObject {
  const encoded: JsonObject = {};
  if (reason) encoded.reason = reason;
  if (message) encoded.message = message;
  if (field) encoded.field = field;
  return encoded;
}

/** Returns the answer to a finished delete, for kinds that answer with a Status. `resource` is the plural. */
export function deletedStatus(group: string, resource: string, name: string, uid: string): JsonObject {
  return { ...status('Success'), details: encodeDetails({ name, group, kind: resource, uid }) };
}

/** Returns the answer to an operation with no other result, with its code. */
export function successStatus(code: number): JsonObject {
  return { ...status('Success'), code };
}

/** A reason of a Status, and sentences for the docs: when the server gives it, and what a client does about it. */
export interface ReasonInfo {
  readonly code: number;
  readonly when: string;
  readonly cure: string;
}

// biome-ignore format: a row is a line
export const reasons: Readonly<Record<StatusReason, ReasonInfo>> = {
  BadRequest: { code: 400, when: 'The body, a parameter or a patch cannot be read, or contradicts the path.', cure: 'Correct the request; the message names what is wrong.' },
  Unauthorized: { code: 401, when: 'The request has no credentials, or the server does not know them.', cure: 'Log in again, or name another kubeconfig. A token may have expired.' },
  Forbidden: { code: 403, when: 'The user lacks the right, or an admission plugin, webhook, policy or quota refuses the write.', cure: 'Ask an administrator for the right, or change the object as the message says. `kindforge access` explains a missing right.' },
  NotFound: { code: 404, when: 'The object, its namespace or the path does not exist, or the version of the kind is not served.', cure: 'Check name, namespace and `apiVersion`; `kubectl api-resources` lists what is served.' },
  MethodNotAllowed: { code: 405, when: 'The resource does not have this verb, now or at all.', cure: 'Use a verb that discovery lists for the resource.' },
  NotAcceptable: { code: 406, when: 'The server cannot send any format of `Accept`.', cure: 'Accept one of the media types that the message lists.' },
  AlreadyExists: { code: 409, when: 'A create names an object that already exists.', cure: 'Read the object and update it, or choose another name. With `generateName`, try again.' },
  Conflict: { code: 409, when: 'Somebody else changed the object first, a precondition does not hold, another manager owns a field of an apply, or other objects refer to the object.', cure: 'Read the object again, make the change again, and send it. For an apply, decide who owns the field.' },
  Gone: { code: 410, when: 'The requested thing is gone for good. The server itself answers `Expired`; handlers and API servers behind this one may answer so.', cure: 'List again.' },
  Expired: { code: 410, when: 'A `resourceVersion` or a `continue` token is older than the kept history.', cure: 'List again, and watch from the revision of the list. For the rest of a list, use the token of the answer.' },
  RequestEntityTooLarge: { code: 413, when: 'The body, or the object to store, is larger than the limit.', cure: 'Divide the object, or raise `--max-object-bytes`.' },
  UnsupportedMediaType: { code: 415, when: 'The server cannot read the format of `Content-Type`.', cure: 'Send one of the media types that the message lists.' },
  Invalid: { code: 422, when: 'The object breaks the schema or a rule of its kind. Each broken rule is a cause.', cure: 'Correct the fields that the causes name.' },
  TooManyRequests: { code: 429, when: 'The server or the storage has more requests than it can take, or an eviction would violate a disruption budget.', cure: 'Wait as long as `Retry-After` says, and try again.' },
  InternalError: { code: 500, when: 'The server has a fault, a webhook or handler failed, or a stored object cannot be read.', cure: 'Read the message and the log of the server.' },
  ServerTimeout: { code: 500, when: 'An operation took too long. The server itself answers `Timeout`; handlers and API servers behind this one may answer so.', cure: 'Try again.' },
  StorageReadError: { code: 500, when: 'A list contains objects that cannot be read, and the gate `AllowUnsafeMalformedObjectDeletion` is on.', cure: 'Restore the objects that the causes name, or delete them.' },
  Unknown: { code: 500, when: 'An error from outside of the API. The Status has no reason.', cure: 'Read the message; the code may be another one.' },
  ServiceUnavailable: { code: 503, when: 'The storage, a proxied service or an API server behind this one does not answer, or the server is starting or stopping.', cure: 'Wait as long as `Retry-After` says, and try again.' },
  Timeout: { code: 504, when: 'The request or the storage took too long, or the server has not reached the requested `resourceVersion`.', cure: 'Read the object before you try a write again: it may have been stored.' },
};

/** The reasons of causes, and when a failure has such a cause. */
export const causeReasons: Readonly<Record<CauseReason, string>> = {
  FieldValueRequired: 'A field that must be set is missing or empty.',
  FieldValueInvalid: 'A value breaks a rule, or a field that cannot change has changed.',
  FieldValueDuplicate: 'An item of a list, or a value that must be unique, is there twice.',
  FieldValueNotSupported: 'A value is not allowed; the message lists the allowed ones.',
  FieldValueForbidden: 'A field must not be set here, or must not have this value.',
  FieldValueNotFound: 'A value names something that does not exist.',
  FieldValueTooLong: 'A string, or the data of an object, is too long.',
  FieldValueTooMany: 'A list or a map has too many items.',
  FieldValueTypeInvalid: 'A value has the wrong type.',
  InternalError: 'A rule could not be checked.',
  FieldManagerConflict: 'Another manager owns a field of an apply; the message names the manager.',
  NamespaceTerminating: 'The namespace is being deleted, so nothing can be created there.',
  ResourceVersionTooLarge: 'The server has not reached the requested `resourceVersion`.',
  DisruptionBudget: 'An eviction would violate the disruption budget of the pod.',
  StillReferenced: 'Another object refers to the one that should be deleted.',
  UnexpectedServerResponse: 'A stored object cannot be read; `field` is its key.',
};
