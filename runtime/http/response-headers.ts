/** The headers of an answer, as they are written. */
import type { ApiResponse, RequestTags } from '../request/api-request.js';

/** Names and values by turns, which Node writes faster than the properties of an object. A list is repeated lines. */
export type HeaderLines = (string | string[])[];

/** The headers of an answer. `length` is that of its body in bytes; absent where that is a stream. */
export function headerLines(
  answer: ApiResponse,
  tags: RequestTags | undefined,
  length: number | undefined,
): HeaderLines {
  const { contentType, headers } = answer;
  const lines: HeaderLines = contentType === '' ? [] : ['content-type', contentType];
  if (headers?.['cache-control'] === undefined) lines.push('cache-control', 'no-cache, private');
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && name !== 'content-type') lines.push(name, value);
  }
  if (tags?.flow) lines.push(...tags.flow);
  if (tags?.sharing) lines.push(...tags.sharing);
  if (tags?.auditId !== undefined) lines.push('audit-id', tags.auditId);
  // RFC 9110, section 8.6.
  if (length !== undefined && answer.code !== 204) lines.push('content-length', String(length));
  return lines;
}
