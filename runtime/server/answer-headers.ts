/** The headers that every answer has: the request's id, and what it falls under in flow control. */
import { randomUUID } from 'node:crypto';
import type { Flow } from '../access/flow-control.js';
import type { Naming } from '../objects/naming.js';
import type { ApiRequest, ApiResponse } from '../verbs/api-request.js';

const auditId = 'audit-id';

/** The answer with the id of its request: the client's own where it says one, which it then finds in its own records too. */
export function withAuditId(request: ApiRequest, answer: ApiResponse): ApiResponse {
  const said = request.headers[auditId];
  const id = typeof said === 'string' && printable.test(said) ? said : randomUUID();
  return { ...answer, headers: { ...answer.headers, [auditId]: id } };
}

/** The characters that a header can be sent back with. */
const printable = /^[\x21-\x7e]+$/;

/** Adds what an answer's request falls under to it. */
export type WithFlow = (answer: ApiResponse, flow: Flow) => ApiResponse;

/** The names of the headers are those of the naming that is served. */
export function defineFlowHeaders({ rename }: Naming): WithFlow {
  const flowSchemaHeader = rename('x-platform-pf-flowschema-uid');
  const priorityLevelHeader = rename('x-platform-pf-prioritylevel-uid');
  return (answer, { flowSchema, priorityLevel }) => ({
    ...answer,
    headers: { ...answer.headers, [flowSchemaHeader]: flowSchema, [priorityLevelHeader]: priorityLevel },
  });
}
