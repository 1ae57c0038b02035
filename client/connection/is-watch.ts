/** Distinguishes watches from other requests. */
import type { TransportRequest } from '../transport.js';

/** Returns whether the answer continues until the client or the server ends it. */
export const isWatch = ({ method, path }: Pick<TransportRequest, 'method' | 'path'>): boolean =>
  method === 'GET' && new URLSearchParams(path.split('?')[1]).get('watch') === 'true';
