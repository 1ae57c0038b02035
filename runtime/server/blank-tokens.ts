/** Warns clients whose bearer token is not looked at, as there is a blank too many before it. */
import { thenSync } from '../objects/turns.js';
import type { ApiRequest, ApiResponse, Handle } from '../request/api-request.js';

const warning =
  '299 - "the provided Authorization header contains extra space before the bearer token, and is ignored"';

/** Adds the warning to answers, whatever they are: such a request counts as one without credentials. */
export const withBlankTokenWarnings =
  (handle: Handle): Handle =>
  (request) =>
    hasBlankToken(request) ? thenSync(handle(request), withWarning) : handle(request);

/** Whether two blanks follow the scheme. */
function hasBlankToken({ headers: { authorization } }: ApiRequest): boolean {
  if (typeof authorization !== 'string' || !authorization.includes('  ')) return false;
  return /^bearer {2}/i.test(authorization.trim());
}

function withWarning(answer: ApiResponse): ApiResponse {
  const before = answer.headers?.warning ?? [];
  return { ...answer, headers: { ...answer.headers, warning: [warning, ...[before].flat()] } };
}
