/** ClusterCIDR: immutable address blocks for pods, and its columns. */
import { defineClusterCIDRHandlers } from '../../generated/networking.platform.io/v1alpha1/clustercidrs/handlers.js';
import type { NodeSelector } from '../../generated/types/core/v1/types.js';
import type { ClusterCIDRSpec } from '../../generated/types/networking/v1alpha1/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { parseIpRange } from '../../runtime/objects/ip-address.js';
import { type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { checkNodeSelector } from '../shared/selectors.js';

type Spec = Draft<ClusterCIDRSpec>;

const minHostBits = 4;
const families = [
  ['ipv4', 'IPv4', 32],
  ['ipv6', 'IPv6', 128],
] as const;

export const defineClusterCIDRs = (): KindHandlers =>
  defineClusterCIDRHandlers({
    updateChecks: ['metadata', 'fields', 'metadata changes', 'field changes'],
    validate: ({ spec = {} }) => firstErrors(checkSpec(spec)),
    validateUpdate: ({ spec = {} }, old) => changeErrors(spec, old.spec ?? {}),
    columns: {
      NodeSelector: ({ spec }) => nodeText(spec?.nodeSelector),
      IPv4: ({ spec }) => spec?.ipv4 || '<none>',
      IPv6: ({ spec }) => spec?.ipv6 || '<none>',
    },
  });

/** There is a block of at least one family, with room for the addresses of a node. */
function* checkSpec(spec: Spec): FieldErrors {
  if (spec.nodeSelector) yield* checkNodeSelector(spec.nodeSelector, 'spec.nodeSelector');
  if (!spec.ipv4 && !spec.ipv6) {
    yield required('spec', 'one or both of `ipv4` and `ipv6` must be specified');
    return;
  }
  for (const [key, family, bits] of families) {
    const text = spec[key];
    if (!text) continue;
    const range = parseIpRange(text);
    // As in the reference, errors name the family, not the field.
    if (range?.family !== family) {
      yield invalidValue(
        `spec.${family}`,
        text,
        range ? `must be a valid ${family} CIDR` : `must be a valid CIDR: ${text}`,
      );
    }
    if (range) yield* checkHostBits(spec, bits - range.prefixLength);
  }
}

function* checkHostBits({ perNodeHostBits: bits = 0 }: Spec, most: number): FieldErrors {
  const path = 'spec.perNodeHostBits';
  if (bits < minHostBits) yield invalidValue(path, bits, `must be greater than or equal to ${minHostBits}`);
  if (bits > most) yield invalidValue(path, bits, `must be less than or equal to ${most}`);
}

/** Nothing can be changed. */
const changeErrors = (spec: Spec, old: Spec): readonly FieldError[] =>
  (['nodeSelector', 'perNodeHostBits', 'ipv4', 'ipv6'] as const)
    .filter((key) => !equal(spec[key], old[key]))
    .map((key) => invalidValue(`spec.${key}`, spec[key], 'field is immutable'));

/** Prints node terms as in `zone in (a,b)`, with bars between them. */
function nodeText(selector: Draft<NodeSelector> | undefined): string {
  const terms = selector?.nodeSelectorTerms?.map(({ matchExpressions = [] }) =>
    matchExpressions
      .map(({ key = '', operator = '', values = [] }) => `${key} ${operator.toLowerCase()} (${values.join(',')})`)
      .join(','),
  );
  return terms?.join('|') || '<none>';
}
