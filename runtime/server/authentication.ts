/** Finds out who makes a request, or whose a token is, by asking one method after the other. */
import type {
  Authenticated,
  Authentication,
  AuthenticationContext,
  Authenticator,
  Credentials,
  Result,
  UserInfo,
} from '../contract/index.js';
import { unauthorized } from '../objects/status.js';
import { readObject } from '../pipeline/object-door.js';
import type { PipelineServices } from '../pipeline/write.js';
import type { ApiRequest } from '../verbs/exchange.js';

/** What requests are authenticated with. */
export interface AuthenticationParts {
  readonly methods: readonly Authenticator[];
  /** Who a request without credentials comes from; absent to refuse such requests. */
  readonly anonymous: UserInfo | undefined;
  readonly services: PipelineServices;
}

/** Who makes a request, or 401. */
export async function authenticateRequest(
  { methods, anonymous, services }: AuthenticationParts,
  request: ApiRequest,
): Promise<Result<UserInfo>> {
  const found = await firstOf(methods, request, contextOf(services));
  if (found && 'user' in found) return { ok: true, value: found.user };
  if (found || !anonymous) return { ok: false, failure: unauthorized() };
  return { ok: true, value: anonymous };
}

/** Whose a bearer token is, where it is for one of the audiences; an unknown one is refused. */
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
  return found ?? { refused: 'nobody knows the token' };
}

const contextOf = (services: PipelineServices): AuthenticationContext => ({
  get: (place) => readObject(services, place),
});

/** The first method that recognizes the credentials; else why they were refused, with all that may be told of it. */
async function firstOf(
  methods: readonly Authenticator[],
  credentials: Credentials,
  context: AuthenticationContext,
  admit: (authenticated: Authenticated) => Authentication = (authenticated) => authenticated,
): Promise<Authentication> {
  const refusals: string[] = [];
  const told: string[] = [];
  for (const method of methods) {
    const asked = method.authenticate(credentials, context);
    // Most methods see at once that the credentials are not of theirs.
    const answer = asked instanceof Promise ? await asked : asked;
    const found = answer && 'user' in answer ? admit(answer) : answer;
    if (found === undefined) continue;
    if ('user' in found) return found;
    refusals.push(found.refused);
    if (found.told !== undefined) told.push(found.told);
  }
  if (refusals.length === 0) return undefined;
  return { refused: refusals.join('; '), ...(told.length === 0 ? {} : { told: told.join(', ') }) };
}

/** A method that knows no audiences speaks for the server's own. */
function forAudiences(found: Authenticated, wanted: readonly string[], own: readonly string[]): Authentication {
  if (found.audiences) return found;
  const audiences = wanted.filter((audience) => own.includes(audience));
  if (audiences.length === 0 && wanted.length > 0) return { refused: 'the token is not for the audiences' };
  return { ...found, audiences };
}
