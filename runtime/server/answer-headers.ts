/** The headers of all answers: the request's id, and what it falls under in flow control. */
import { randomUUID } from 'node:crypto';
import type { Flow } from '../access/flow-control/follow.js';
import { thenSync } from '../objects/maybe-promise.js';
import { memoizeByObject } from '../objects/memoize.js';
import type { Naming } from '../objects/naming.js';
import type { ApiRequest, ApiResponse, Handle } from '../verbs/api-request.js';

const auditId = 'audit-id';

/**
 * Answers with the id of each request: the client's own where it says one, which it then finds in its records too. It is for
 * clients that are elsewhere; those in the same process know which answer is whose.
 */
export const withAuditIds =
  (handle: Handle, idOf = newId): Handle =>
  (request) => {
    const id = idOf(request);
    return thenSync(handle(request), (answer) => ({ ...answer, tags: [...(answer.tags ?? []), auditId, id] }));
  };

function newId({ headers }: ApiRequest): string {
  const said = headers[auditId];
  return typeof said === 'string' && printable.test(said) ? said : randomUUID();
}

/** The id of a request, the same for all who ask for it. */
export const defineRequestIds = (): ((request: ApiRequest) => string) => memoizeByObject(newId);

/** The id of a request, in its answer; empty where it was given none. */
export function auditIdOf({ tags = [] }: ApiResponse): string {
  const at = tags.lastIndexOf(auditId);
  return at < 0 ? '' : (tags[at + 1] ?? '');
}

/** The characters that a header can be sent back with. */
const printable = /^[\x21-\x7e]+$/;

/** Adds what an answer's request falls under to it. */
export type WithFlow = (answer: ApiResponse, flow: Flow) => ApiResponse;

/** The names of the headers are those of the naming that is served. */
export function defineFlowHeaders({ rename }: Naming): WithFlow {
  const flowSchemaHeader = rename('x-platform-pf-flowschema-uid');
  const priorityLevelHeader = rename('x-platform-pf-prioritylevel-uid');
  const tagsOf = memoizeByObject(({ flowSchema, priorityLevel }: Flow): readonly string[] => [
    flowSchemaHeader,
    flowSchema,
    priorityLevelHeader,
    priorityLevel,
  ]);
  return (answer, flow) => ({ ...answer, tags: tagsOf(flow) });
}
