/** Distinguishes watches from other requests. */
import type { TransportRequest } from '../transport.js';

/** Returns whether the answer goes on until one side ends it. */
export const isWatch = ({ method, path }: Pick<TransportRequest, 'method' | 'path'>): boolean =>
  method === 'GET' && new URLSearchParams(path.split('?')[1]).get('watch') === 'true';
