import { describe, expect, it } from 'vitest';
import { defineServiceCIDRs } from '../../../../strategies/networking.platform.io/servicecidrs.js';
import { changeErrorsOf, errorsOf, objectOf } from '../../../support/field-errors.js';

const handlers = defineServiceCIDRs();
const range = (...cidrs: string[]) => objectOf(handlers, { spec: { cidrs } });
const invalid = (at: string, value: string, rule: string) => [`spec.cidrs${at}: Invalid value: ${value}: ${rule}`];
const families = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';

describe('the blocks of a ServiceCIDR', () => {
  it.each([[['10.1.0.0/16']], [['10.1.0.0/16', 'fd00:1::/112']], [['fd00:1::/112', '10.1.0.0/16']]])(
    'may be %j',
    (cidrs) => expect(errorsOf(handlers, range(...cidrs))).toEqual([]),
  );

  it.each([
    [[], ['spec.cidrs: Required value: at least one CIDR required']],
    [['a', 'b', 'c'], invalid('', '["a","b","c"]', 'may only hold up to 2 values')],
    [['10.1.0.0/16', '10.2.0.0/16'], invalid('', '["10.1.0.0/16","10.2.0.0/16"]', families)],
    [['10.1.0.0/16', 'b'], invalid('', '["10.1.0.0/16","b"]', families)],
    [['10.1.0.3/16'], invalid('[0]', '"10.1.0.3/16"', 'must not have bits set beyond the prefix length')],
    [['fd00:1:0::/112'], invalid('[0]', '"fd00:1:0::/112"', 'must be in canonical form ("fd00:1::/112")')],
  ])('may not be %j', (cidrs, errors) => expect(errorsOf(handlers, range(...cidrs))).toEqual(errors));

  it('never change', () => {
    expect(changeErrorsOf(handlers, range('10.1.0.0/16'), range('10.1.0.0/16'))).toEqual([]);
    expect(changeErrorsOf(handlers, range('10.2.0.0/16'), range('10.1.0.0/16'))).toEqual(
      invalid('', '["10.2.0.0/16"]', 'field is immutable'),
    );
  });
});
