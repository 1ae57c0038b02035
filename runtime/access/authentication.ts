/** Finds the user of a request by its credentials, with one method after another. */
import type {
  Authenticated,
  Authentication,
  AuthenticationContext,
  Authenticator,
  Credentials,
  Refused,
  Result,
  UserInfo,
} from '../contract/index.js';
import { unauthorized } from '../objects/status.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import { type ApiRequest, type ApiResponse, isStreamed, type StreamStart } from '../request/api-request.js';
import { readObject, updateObject } from '../request/object-access.js';
import type { PipelineServices } from '../request/verb-request.js';

export interface AuthenticationParts {
  readonly methods: readonly Authenticator[];
  /** The user of requests without credentials; absent to refuse such requests. */
  readonly anonymous: UserInfo | undefined;
  /** The only paths that need no credentials; empty for all. */
  readonly anonymousPaths: readonly string[];
  readonly services: PipelineServices;
}

/** Returns the user of a request, or a 401. Only waits for methods that wait. */
export function authenticateRequest(
  { methods, anonymous, anonymousPaths, services }: AuthenticationParts,
  request: ApiRequest,
): MaybePromise<Result<UserInfo>> {
  return thenSync(firstOf(methods, request, contextOf(services)), (found) => {
    if (request.tags && found && 'user' in found && found.onEnd) request.tags.onEnd = found.onEnd;
    const isOpen = anonymousPaths.length === 0 || anonymousPaths.includes(request.path);
    return toUser(found, isOpen ? anonymous : undefined);
  });
}

function toUser(found: Authentication, anonymous: UserInfo | undefined): Result<UserInfo> {
  if (found && 'user' in found) return { ok: true, value: found.user };
  if (found || !anonymous) return { ok: false, failure: unauthorized(found?.clientReason) };
  return { ok: true, value: anonymous };
}

/**
 * Makes a stream end with the credentials of its request, unless it has an end of its own. Returns other answers as
 * they are.
 */
export function endingWithCredentials(request: ApiRequest, answer: ApiResponse): ApiResponse {
  const { body } = answer;
  if (!isStreamed(body) || body.ends) return answer;
  const onEnd = request.tags?.onEnd;
  if (!onEnd) return answer;
  const stream: StreamStart = (sink) => {
    let stop = body.stream(sink);
    const end = (): void => {
      stop();
      stop = () => undefined;
      sink.end();
    };
    const forget = onEnd(end);
    return () => {
      forget();
      stop();
    };
  };
  return { ...answer, body: { ...body, stream } };
}

/** Returns the user of a bearer token for one of the audiences; refuses an unknown token. */
export async function authenticateToken(
  methods: readonly Authenticator[],
  services: PipelineServices & { readonly audiences: readonly string[] },
  token: string,
  audiences: readonly string[],
): Promise<Authentication> {
  const wanted = audiences.length === 0 ? services.audiences : audiences;
  const credentials = { headers: { authorization: `Bearer ${token}` }, audiences: wanted };
  const found = await firstOf(methods, credentials, contextOf(services), (authenticated) =>
    forAudiences(authenticated, wanted, services.audiences),
  );
  return found ?? { refused: 'the token is unknown' };
}

const contexts = new WeakMap<PipelineServices, AuthenticationContext>();

function contextOf(services: PipelineServices): AuthenticationContext {
  const known = contexts.get(services);
  if (known) return known;
  const context: AuthenticationContext = {
    get: (place) => readObject(services, place),
    update: (place, change) => updateObject(services, place, change),
    featureEnabled: services.featureEnabled,
  };
  contexts.set(services, context);
  return context;
}

/**
 * Asks methods in order and returns the first result, else a refusal with every reason that may be shown. Most methods
 * recognize foreign credentials at once, so this only waits from the first method that waits.
 */
function firstOf(
  methods: readonly Authenticator[],
  credentials: Credentials,
  context: AuthenticationContext,
  admit: (authenticated: Authenticated) => Authentication = (authenticated) => authenticated,
): MaybePromise<Authentication> {
  const refusals: Refused[] = [];
  const askFrom = (first: number): MaybePromise<Authentication> => {
    for (let at = first; at < methods.length; at++) {
      const answer = methods[at]?.authenticate(credentials, context);
      if (answer instanceof Promise) return answer.then((known) => takeIn(known) ?? askFrom(at + 1));
      const found = takeIn(answer);
      if (found) return found;
    }
    return joined(refusals);
  };
  const takeIn = (answer: Authentication): Authenticated | undefined => {
    const found = answer && 'user' in answer ? admit(answer) : answer;
    if (found === undefined) return undefined;
    if ('user' in found) return found;
    refusals.push(found);
    return undefined;
  };
  return askFrom(0);
}

function joined(refusals: readonly Refused[]): Authentication {
  if (refusals.length === 0) return undefined;
  const told = refusals.flatMap((refusal) => refusal.publicReason ?? []);
  const refused = refusals.map((refusal) => refusal.refused).join('; ');
  const clientReason = refusals.find((refusal) => refusal.clientReason !== undefined)?.clientReason;
  return {
    refused,
    ...(told.length === 0 ? {} : { publicReason: told.join(', ') }),
    ...(clientReason === undefined ? {} : { clientReason }),
  };
}

/**
 * Returns the user if the token is for one of the audiences. A method without audiences counts as a method for the
 * server's own.
 */
function forAudiences(found: Authenticated, wanted: readonly string[], own: readonly string[]): Authentication {
  if (found.audiences) return found;
  const audiences = wanted.filter((audience) => own.includes(audience));
  if (audiences.length === 0 && wanted.length > 0) return { refused: 'the token is not for the audiences' };
  return { ...found, audiences };
}
