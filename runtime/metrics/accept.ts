/** Reads which text form of metrics a client wants. */
import { listMembers } from '../objects/scan/header-lists.js';

/** Whether a client would rather have OpenMetrics: it names that, and does not weigh plain text higher. */
export function prefersOpenMetrics(accept: string): boolean {
  const weights = listMembers(accept).map((part) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const version = parameters.find((parameter) => parameter.startsWith('version='))?.slice('version='.length);
    return { type, version, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 };
  });
  const open = weights.find(
    ({ type, version }) =>
      type === 'application/openmetrics-text' && (version === undefined || ['0.0.1', '1.0.0'].includes(version)),
  );
  const plain = weights.find(({ type }) => type === 'text/plain');
  return open !== undefined && open.weight > 0 && open.weight >= (plain?.weight ?? 0);
}
