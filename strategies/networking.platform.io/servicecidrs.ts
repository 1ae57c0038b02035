/** ServiceCIDR: blocks of addresses for services, at most one of each family. */
import { defineServiceCIDRHandlers } from '../../generated/networking.platform.io/v1alpha1/servicecidrs/handlers.js';
import type { KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue, required, Verbatim } from '../../runtime/objects/field-error.js';
import { ipNumber, ipRangeText, parseIpRange } from '../../runtime/objects/ip-address.js';
import { type FieldErrors, firstErrors } from '../shared/field-checks.js';

const field = 'spec.cidrs';

export const defineServiceCIDRs = (): KindHandlers =>
  defineServiceCIDRHandlers({
    updateChecks: ['metadata', 'metadata changes', 'field changes'],
    validate: ({ spec }) => firstErrors(checkBlocks(spec?.cidrs ?? [])),
    validateUpdate: ({ spec }, old) =>
      equal(spec?.cidrs ?? [], old.spec?.cidrs ?? [])
        ? []
        : [invalidValue(field, printed(spec?.cidrs ?? []), 'field is immutable')],
    columns: { CIDRs: ({ spec }) => (spec?.cidrs ?? []).join(',') },
  });

function* checkBlocks(blocks: readonly string[]): FieldErrors {
  if (blocks.length === 0) yield required(field, 'at least one CIDR required');
  else if (blocks.length > 2) yield invalidValue(field, printed(blocks), 'may only hold up to 2 values');
  else if (blocks.length === 2 && !areOfBothFamilies(blocks)) {
    const rule = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
    yield invalidValue(field, printed(blocks), rule);
  } else for (const [i, block] of blocks.entries()) yield* checkBlock(block, `${field}[${i}]`);
}

const printed = (blocks: readonly string[]): Verbatim => new Verbatim(JSON.stringify(blocks));

const areOfBothFamilies = (blocks: readonly string[]): boolean =>
  new Set(blocks.map((block) => parseIpRange(block)?.family).filter((family) => family !== undefined)).size === 2;

/** A block begins with the first of its addresses, in canonical form. */
function* checkBlock(text: string, path: string): FieldErrors {
  const range = parseIpRange(text);
  const first = ipNumber(text.slice(0, text.indexOf('/')));
  if (range === undefined || first === undefined) {
    yield invalidValue(path, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)');
    return;
  }
  const canonical = ipRangeText(range);
  if (first.value !== range.first) yield invalidValue(path, text, 'must not have bits set beyond the prefix length');
  else if (canonical !== text) yield invalidValue(path, text, `must be in canonical form ("${canonical}")`);
}
