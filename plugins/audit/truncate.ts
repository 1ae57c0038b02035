/** Keeps records within a size: their bodies go first, then they go themselves. */
import type { AuditRecord } from '../../runtime/contract/index.js';
import type { Truncation } from './options.js';

/** The text of a record; `undefined` where it is too large even without bodies, of which `refused` is told. */
export function bounded(
  truncation: Truncation | undefined,
  refused: (bytes: number) => void,
): (record: AuditRecord) => string | undefined {
  if (!truncation) return ({ json }) => json;
  const most = Math.min(truncation.maxEventBytes, truncation.maxBatchBytes);
  return ({ json, cut }) => {
    // A character takes three bytes at most, so that short texts need not be measured.
    if (json.length * 3 <= most || Buffer.byteLength(json) <= most) return json;
    const short = cut();
    const bytes = Buffer.byteLength(short);
    if (bytes <= most) return short;
    refused(bytes);
    return undefined;
  };
}
