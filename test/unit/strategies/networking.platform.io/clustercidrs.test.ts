import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { defineClusterCIDRs } from '../../../../strategies/networking.platform.io/clustercidrs.js';
import { changeErrorsOf, errorsOf, objectOf } from '../../../support/field-errors.js';

const handlers = defineClusterCIDRs();
const blocks = (spec: JsonObject) => objectOf(handlers, { spec: { perNodeHostBits: 8, ...spec } });

describe('blocks of a cluster', () => {
  it.each<[JsonObject, ...string[]]>([
    [{}, 'spec: Required value: one or both of `ipv4` and `ipv6` must be specified'],
    [{ ipv4: 'a' }, 'spec.IPv4: Invalid value: "a": must be a valid CIDR: a'],
    [{ ipv6: '10.0.0.0/16' }, 'spec.IPv6: Invalid value: "10.0.0.0/16": must be a valid IPv6 CIDR'],
    [
      { ipv6: '10.0.0.0/16', perNodeHostBits: 3 },
      'spec.IPv6: Invalid value: "10.0.0.0/16": must be a valid IPv6 CIDR',
      'spec.perNodeHostBits: Invalid value: 3: must be greater than or equal to 4',
    ],
    [
      { ipv4: '10.0.0.0/16', perNodeHostBits: 3 },
      'spec.perNodeHostBits: Invalid value: 3: must be greater than or equal to 4',
    ],
    [{ ipv4: '10.0.0.0/30' }, 'spec.perNodeHostBits: Invalid value: 8: must be less than or equal to 2'],
  ])('are refused with %j', (spec, ...errors) => expect(errorsOf(handlers, blocks(spec))).toEqual(errors));

  it('never change', () =>
    expect(changeErrorsOf(handlers, blocks({ ipv4: '10.1.0.0/16' }), blocks({ ipv4: '10.0.0.0/16' }))).toEqual([
      'spec.ipv4: Invalid value: "10.1.0.0/16": field is immutable',
    ]));
});
