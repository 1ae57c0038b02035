/** Entity tags (RFC 9110): what a client has already got is not sent to it again. */
import { createHash } from 'node:crypto';
import type { ApiRequest, ApiResponse } from '../request/api-request.js';

/** SHA-512 of a document's bytes, hexadecimal and in upper case as the reference has it. */
export const hashOf = (bytes: Uint8Array): string => createHash('sha512').update(bytes).digest('hex').toUpperCase();

/** The answer under the tag of this hash; without its body for a client that names the tag, and no other, as its own. */
export function tagged(request: ApiRequest, answer: ApiResponse, hash: string): ApiResponse {
  const etag = `"${hash}"`;
  const headers = { ...answer.headers, etag };
  if (request.headers['if-none-match'] !== etag) return { ...answer, headers };
  return { ...answer, code: 304, headers, body: Buffer.alloc(0) };
}
