/** Turns failures into `Status` bodies and HTTP codes; nowhere else is a Status built. */
import type { Failure, FailureDetails, JsonObject, StatusReason } from '../contract/index.js';
import { reasons } from './reasons.js';

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
