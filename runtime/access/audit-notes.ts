/** Notes that parts of the server make for the audit of requests. */
import type { ApiRequest } from '../request/api-request.js';

/** Called with each note once, while the request is under way. */
export type OnAuditNote = (key: string, value: string, request: ApiRequest) => void;

/** Passes notes on; the first of a key in a request stands. */
export function defineAuditNotes(onNote: OnAuditNote): (request: ApiRequest, key: string, value: string) => void {
  const noted = new WeakMap<ApiRequest, Set<string>>();
  return (request, key, value) => {
    const keys = noted.get(request) ?? new Set();
    noted.set(request, keys);
    if (keys.has(key)) return;
    keys.add(key);
    onNote(key, value, request);
  };
}
