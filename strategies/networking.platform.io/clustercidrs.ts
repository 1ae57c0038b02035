/** ClusterCIDR: blocks of addresses for pods, which cannot be changed, and how tables show them. */
import type { ApiObject, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { parseIpRange } from '../../runtime/objects/ip-range.js';
import { type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { checkNodeSelector } from '../shared/node-selector.js';
import { integerAt, objectsAt, textsAt } from '../shared/reading.js';

const minHostBits = 4;
const families = [
  ['ipv4', 'IPv4', 32],
  ['ipv6', 'IPv6', 128],
] as const;

export function defineClusterCIDRStrategy(): Strategy {
  return {
    kind: 'networking.platform.io/ClusterCIDR',
    validate: (object) => firstErrors(checkSpec(specOf(object))),
    validateUpdate: (object, old) =>
      ['nodeSelector', 'perNodeHostBits', 'ipv4', 'ipv6']
        .filter((key) => !equal(specOf(object)[key], specOf(old)[key]))
        .map((key) => invalidValue(`spec.${key}`, specOf(object)[key], 'field is immutable')),
    cell(object, column) {
      if (column === 'NodeSelector') return nodeText(objectAt(specOf(object), 'nodeSelector'));
      const family = families.find(([, name]) => name === column);
      return family && (stringAt(specOf(object), family[0]) || '<none>');
    },
  };
}

const specOf = (object: ApiObject): JsonObject => objectAt(object, 'spec') ?? {};

function* checkSpec(spec: JsonObject): FieldErrors {
  const selector = objectAt(spec, 'nodeSelector');
  if (selector) yield* checkNodeSelector(selector, 'spec.nodeSelector');
  if (families.every(([key]) => stringAt(spec, key) === '')) {
    yield required('spec', 'one or both of `ipv4` and `ipv6` must be specified');
    return;
  }
  for (const [key, family, bits] of families) {
    const text = stringAt(spec, key);
    if (text === '') continue;
    const range = parseIpRange(text);
    if (range?.family !== family) yield invalidValue(`spec.${key}`, text, `must be a valid ${family} CIDR`);
    else yield* checkHostBits(spec, bits - range.prefixLength);
  }
}

function* checkHostBits(spec: JsonObject, most: number): FieldErrors {
  const bits = integerAt(spec, 'perNodeHostBits') ?? 0;
  const path = 'spec.perNodeHostBits';
  if (bits < minHostBits) yield invalidValue(path, bits, `must be greater than or equal to ${minHostBits}`);
  if (bits > most) yield invalidValue(path, bits, `must be less than or equal to ${most}`);
}

/** As in `zone in (a,b)`, with bars between terms. */
function nodeText(selector: JsonObject | undefined): string {
  const terms = objectsAt(selector, 'nodeSelectorTerms').map((term) =>
    objectsAt(term, 'matchExpressions')
      .map(
        (one) =>
          `${stringAt(one, 'key')} ${stringAt(one, 'operator').toLowerCase()} (${textsAt(one, 'values').join(',')})`,
      )
      .join(','),
  );
  return terms.join('|') || '<none>';
}
