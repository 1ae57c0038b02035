/** Blocks of addresses that a node gives to its pods, in an older field for one and a newer one for several. */
import type { NodeSpec } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { duplicate, invalidValue, stringList } from '../../../runtime/objects/field-error.js';
import { cidr } from '../../../runtime/objects/names/network-names.js';
import { checkText, type FieldErrors } from '../../shared/field-checks.js';

/** Makes both fields agree, in place: the older one counts where it differs from the first of the newer. */
export function settlePodBlocks(spec: Draft<NodeSpec>): void {
  const { podCIDR: single, podCIDRs: [first] = [] } = spec;
  if (single && single !== first) spec.podCIDRs = [single];
  else if (first && !single) spec.podCIDR = first;
}

/** The blocks of a spec: at most one of each family. */
export function* checkPodBlocks(blocks: readonly string[], path: string): FieldErrors {
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
