/** Blocks of addresses that a node gives to its pods, in an older field for one and a newer one for several. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { duplicate, invalidValue, stringList } from '../../../runtime/objects/field-error.js';
import { stringAt } from '../../../runtime/objects/guards.js';
import { cidr } from '../../../runtime/objects/network-names.js';
import { checkText, type FieldErrors } from '../../shared/field-checks.js';
import { textsAt } from '../../shared/reading.js';

/** Brings both fields in agreement, in place: the older one counts where it differs from the first of the newer. */
export function settlePodBlocks(spec: JsonObject): void {
  const single = stringAt(spec, 'podCIDR');
  const [first] = textsAt(spec, 'podCIDRs');
  if (single !== '' && single !== first) spec.podCIDRs = [single];
  else if (first !== undefined && first !== '' && single === '') spec.podCIDR = first;
}

/** The blocks of a spec: at most one of each family. */
export function* checkPodBlocks(spec: JsonObject, path: string): FieldErrors {
  const blocks = textsAt(spec, 'podCIDRs');
  for (const [i, block] of blocks.entries()) yield* checkText(`${path}[${i}]`, block, cidr);
  if (blocks.length < 2) return;
  const families = new Set(blocks.filter((block) => cidr(block).length === 0).map((block) => block.includes(':')));
  if (families.size < 2 || blocks.length > 2) {
    yield invalidValue(path, stringList(blocks), 'may specify no more than one CIDR for each IP family');
  }
  const seen = new Set<string>();
  for (const [i, block] of blocks.entries()) {
    if (seen.has(block)) yield duplicate(`${path}[${i}]`, block);
    seen.add(block);
  }
}
