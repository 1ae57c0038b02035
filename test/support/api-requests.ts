/** Requests without a connection. */
import type { ApiRequest } from '../../runtime/request/api-request.js';

export const requestOf = (parts: Partial<ApiRequest>): ApiRequest => ({
  method: 'GET',
  path: '/',
  search: '',
  headers: {},
  readBody: () => Promise.resolve({ ok: true, value: new Uint8Array(0) }),
  ...parts,
});
