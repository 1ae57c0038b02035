/** Sends a snapshot of all that is stored, at one revision, while the server goes on. */
import { refusalOf } from '../access/authorization.js';
import type { Failure, UserInfo } from '../contract/index.js';
import { methodNotSupported, tooManyRequests } from '../objects/status.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import type { ApiRequest, ApiResponse } from '../request/api-request.js';
import { pour } from '../request/pour.js';
import { answerFailure } from '../request/responses.js';
import type { VerbServices } from '../request/verb-request.js';

/** The path of snapshots. */
export const snapshotPath = '/storage/snapshot';

/** Makes a snapshot of the store as it is when it is called, in pieces, each made when it is asked for. */
export type MakeSnapshot = () => Iterator<Uint8Array>;

/**
 * Answers with a snapshot. Secrets are in it, so those may have it that may list everything: the right to the path alone,
 * which rules about paths may give, is not enough.
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

/** The state has then all that anyone has acknowledged. */
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
