/** Sends a snapshot of all stored objects at one revision. Other requests continue meanwhile. */
import { refusalOf } from '../access/authorization.js';
import type { Failure, UserInfo } from '../contract/index.js';
import { methodNotSupported, tooManyRequests } from '../objects/status.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import type { ApiRequest, ApiResponse } from '../request/api-request.js';
import { pour } from '../request/pour.js';
import { answerFailure } from '../request/responses.js';
import type { VerbServices } from '../request/verb-request.js';

export const snapshotPath = '/storage/snapshot';

/** Makes a snapshot of the present state of the store, in pieces that are made on demand. */
export type MakeSnapshot = () => Iterator<Uint8Array>;

/**
 * Answers with a snapshot. It contains Secrets, so the right to the path is not enough: the user must have the right to
 * list everything.
 */
export function answerSnapshot(
  make: MakeSnapshot,
  services: VerbServices,
  request: ApiRequest,
  user: UserInfo,
): MaybePromise<ApiResponse> {
  if (request.method !== 'GET') return answerFailure(undefined, methodNotSupported());
  const everything = { user, verb: 'list', group: '*', resource: '*', namespace: '' };
  return thenSync(refusalOf(services.authorizer, everything), (refused) =>
    refused
      ? answerFailure(undefined, refused)
      : thenSync(services.store.confirm(), (unconfirmed) => answerConfirmed(make, services, request, unconfirmed)),
  );
}

/** Makes sure that the state contains everything that any server has acknowledged. */
function answerConfirmed(
  make: MakeSnapshot,
  { listsInMaking, onDefect }: VerbServices,
  request: ApiRequest,
  unconfirmed: Failure | undefined,
): ApiResponse {
  if (unconfirmed) return answerFailure(undefined, unconfirmed);
  if (listsInMaking.isFull) return answerFailure(undefined, busy);
  const stream = pour(make(), listsInMaking, (error) => onDefect(error, request));
  const headers = { 'x-content-type-options': 'nosniff' };
  return {
    code: 200,
    contentType: 'application/octet-stream',
    headers,
    body: { stream, ends: true, unrecorded: true },
  };
}

const busy = tooManyRequests('too many lists are being made at the same time; try again later', 1);
