/** The headers of all answers: the request's id, and what it falls under in flow control. */
import { randomUUID } from 'node:crypto';
import type { Flow } from '../access/flow-control/follow.js';
import { memoizeByObject } from '../objects/memoize.js';
import type { Naming } from '../objects/naming.js';
import { thenSync } from '../objects/turns.js';
import type { ApiRequest, ApiResponse, Handle } from '../request/api-request.js';

export const auditId = 'audit-id';

/**
 * Answers with the id of each request: the client's own where it says one, which it then finds in its records too. It is for
 * clients that are elsewhere; those in the same process know which answer is whose.
 */
export const withAuditIds =
  (handle: Handle, idOf = newId): Handle =>
  (request) => {
    if (request.tags) request.tags.auditId = idOf(request);
    return handle(request);
  };

function newId({ headers }: ApiRequest): string {
  const said = headers[auditId];
  return typeof said === 'string' && printable.test(said) ? said : randomUUID();
}

/** The id of a request, the same for all who ask for it. */
export function defineRequestIds(): (request: ApiRequest) => string {
  const idInProcess = memoizeByObject(newId);
  return (request) => request.tags?.auditId ?? (request.tags ? newId(request) : idInProcess(request));
}

/** The characters that a header can be sent back with. */
const printable = /^[\x21-\x7e]+$/;

/** The headers that tell what a request falls under: names and values by turns. */
export type FlowTags = (flow: Flow) => readonly string[];

/** The names of the headers are those of the naming that is served. */
export function defineFlowTags({ rename }: Naming): FlowTags {
  const flowSchemaHeader = rename('x-platform-pf-flowschema-uid');
  const priorityLevelHeader = rename('x-platform-pf-prioritylevel-uid');
  return memoizeByObject(({ flowSchema, priorityLevel }: Flow): readonly string[] => [
    flowSchemaHeader,
    flowSchema,
    priorityLevelHeader,
    priorityLevel,
  ]);
}

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
