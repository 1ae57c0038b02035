/** Sorts the remarks on fields of a body into the order of reports. */
import { byCodePoint } from '../objects/printing.js';
import { type Decoded, fieldOffsets } from './json.js';
import { duplicateFieldRemark, unknownFieldRemark } from './remarks.js';

type Read = Decoded & { readonly ok: true };

/** How to read bodies: into typed structures of a kind, or unchanged. */
type Decoding = 'typed' | 'structural';

/**
 * Returns remarks on repeated and unknown fields of a body. For JSON of typed kinds they are in the order of the text;
 * otherwise unknown fields come last.
 */
export function fieldRemarks(
  decoded: Read,
  unknown: readonly string[],
  text: string,
  decoding: Decoding,
): readonly string[] {
  if (decoded.syntax === 'yaml' || decoding !== 'typed' || unknown.length === 0)
    return [...decoded.remarks, ...unknownRemarks(unknown, decoding)];
  const { duplicates } = decoded;
  const offsets = unknown.length + duplicates.length > 1 ? fieldOffsets(text, [...unknown, ...duplicates]) : undefined;
  const found = [
    ...duplicates.map((path) => ({ path, remark: duplicateFieldRemark(path) })),
    ...unknown.map((path) => ({ path, remark: unknownFieldRemark(path) })),
  ];
  const at = ({ path }: { readonly path: string }): number => offsets?.get(path) ?? 0;
  return found.sort((a, b) => at(a) - at(b)).map(({ remark }) => remark);
}

/**
 * Returns remarks on unknown fields. For typed kinds they are sorted by key, as in a body that was encoded again. For
 * custom resources they keep the order of `paths`.
 */
export function unknownRemarks(paths: readonly string[], decoding: Decoding): readonly string[] {
  return (decoding === 'typed' ? sortedByKeys(paths) : paths).map(unknownFieldRemark);
}

function sortedByKeys(paths: readonly string[]): string[] {
  const split = paths.map((path) => ({ path, keys: path.split(/[.[]/) }));
  return split.sort((a, b) => compareKeys(a.keys, b.keys)).map(({ path }) => path);
}

function compareKeys(left: readonly string[], right: readonly string[]): number {
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [one = '', other = ''] = [left[i], right[i]];
    if (one !== other) return Number.parseInt(one, 10) - Number.parseInt(other, 10) || byCodePoint(one, other);
  }
  return left.length - right.length;
}
