/** Tells watches from other requests. */
import type { TransportRequest } from '../transport.js';

/** Whether the answer goes on until somebody ends it. */
export const isWatch = ({ method, path }: Pick<TransportRequest, 'method' | 'path'>): boolean =>
  method === 'GET' && new URLSearchParams(path.split('?')[1]).get('watch') === 'true';
