/** Gives a request other headers, and leaves it as it is otherwise. */
import type { ApiRequest, RequestHeaders } from './api-request.js';

/** The request with those headers in place of its own. All values of a header that has changed are those it has here. */
export function withHeaders(request: ApiRequest, headers: RequestHeaders): ApiRequest {
  const { method, path, search, basePath = '', throughProxy = false, clientCertificate, tags, passing } = request;
  return {
    method,
    path,
    search,
    basePath,
    headers,
    throughProxy,
    clientCertificate,
    tags,
    passing,
    valuesOf(name) {
      const value = headers[name];
      if (value === undefined) return [];
      const all = value === request.headers[name] ? request.valuesOf?.(name) : undefined;
      return all ?? (typeof value === 'string' ? [value] : value);
    },
    remoteAddress: () => request.remoteAddress?.(),
    isGone: () => request.isGone?.() === true,
    connection: () => request.connection?.(),
    readBody: (limit) => request.readBody(limit),
  };
}
