/** Node selectors as configurations and annotations write them: `disk=ssd,zone=a`. */
import type { Result } from '../../../runtime/contract/index.js';
import { badRequest } from '../../../runtime/objects/failures.js';
import { labelValue, qualifiedNameCheck } from '../../../runtime/objects/names/key-names.js';
import { quote } from '../../../runtime/objects/printing.js';

/** Labels that a node must have. */
export type NodeLabels = ReadonlyMap<string, string>;

/** Reads a selector; an empty one asks for nothing, and of two values of a label the last one counts. */
export function readNodeSelector(text: string): Result<NodeLabels> {
  const labels = new Map<string, string>();
  for (const part of text === '' ? [] : text.split(',')) {
    const [key = '', value, ...more] = part.split('=').map((side) => side.trim());
    if (value === undefined || more.length > 0) {
      return { ok: false, failure: badRequest(`invalid selector: ${quote(part.trim())} is not <label>=<value>`) };
    }
    const [problem] = [...qualifiedNameCheck(key), ...labelValue(value)];
    if (problem !== undefined) {
      return { ok: false, failure: badRequest(`invalid selector: ${quote(part.trim())}: ${problem}`) };
    }
    labels.set(key, value);
  }
  return { ok: true, value: labels };
}
