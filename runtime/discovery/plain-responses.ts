/** Answers that are no API objects: plain text. */
import type { ApiResponse } from '../request/api-request.js';

/** A text. */
export const plainText = (code: number, text: string): ApiResponse => ({
  code,
  contentType: 'text/plain; charset=utf-8',
  headers: { 'x-content-type-options': 'nosniff' },
  body: Buffer.from(text),
});

/** The answer for a path that nothing at all is behind. */
export const textNotFound = (): ApiResponse => plainText(404, '404 page not found\n');
