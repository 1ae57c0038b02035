/** Requests without a connection. */
import type { ApiRequest, ApiResponse } from '../../runtime/request/api-request.js';

type RequestParts = Partial<ApiRequest> & { readonly body?: string | Uint8Array };

/** Makes a request; a GET by default. The path may have a query. */
export function requestOf({ path = '/', body = '', ...parts }: RequestParts = {}): ApiRequest {
  const [place = '', search = ''] = path.split('?', 2);
  const readBody: ApiRequest['readBody'] = () => Promise.resolve({ ok: true, value: Buffer.from(body) });
  return { method: 'GET', path: place, search, headers: {}, readBody, ...parts };
}

/** Returns the text of an answer that is one piece; otherwise an empty text. */
export const textOf = ({ body }: Pick<ApiResponse, 'body'>): string =>
  body instanceof Uint8Array ? Buffer.from(body).toString() : '';
