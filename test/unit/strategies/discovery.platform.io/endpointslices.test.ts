import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { defineEndpointSlices } from '../../../../strategies/discovery.platform.io/endpointslices.js';
import { changeErrorsOf, errorsOf, objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = defineEndpointSlices(platformNaming);
const slice = (rest: JsonObject, metadata: JsonObject = {}) =>
  objectOf(handlers, { addressType: 'IPv4', endpoints: [], ports: [], ...rest }, metadata);

describe('a slice', () => {
  it.each([
    [{ endpoints: [{ addresses: [] }] }, ['endpoints[0].addresses: Required value: must contain at least 1 address']],
    [
      { endpoints: [{ addresses: ['fd00::1'] }] },
      ['endpoints[0].addresses[0]: Invalid value: "fd00::1": must be a valid IPv4 address'],
    ],
    [
      { addressType: 'IPv6', endpoints: [{ addresses: ['::1'] }] },
      ['endpoints[0].addresses[0]: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    ],
    [
      { addressType: 'FQDN', endpoints: [{ addresses: ['short.', '', 'example.com', 'db.example.com.'] }] },
      [
        'endpoints[0].addresses[0]: Invalid value: "short": should be a domain with at least two segments separated by dots',
        'endpoints[0].addresses[1]: Required value',
      ],
    ],
    [{ ports: [{ name: 'a' }, { name: 'a' }] }, ['ports[1].name: Duplicate value: "a"']],
    [
      { endpoints: Array.from({ length: 1001 }, () => ({})) },
      ['endpoints: Too many: 1001: must have at most 1000 items'],
    ],
    [
      { endpoints: [{ addresses: ['10.0.0.1'], hints: { forZones: [{ name: 'z' }, { name: 'z' }] } }] },
      ['endpoints[0].hints.forZones[1].name: Duplicate value: "z"'],
    ],
  ])('is refused with %j', (rest, expected) => expect(errorsOf(handlers, slice(rest))).toEqual(expected));

  it('counts a change of its labels', () => {
    const object = slice({}, { labels: { a: 'b' }, generation: 3 });
    handlers.prepareForUpdate?.(object, slice({}, { generation: 3 }), contextOf());
    expect(object.metadata.generation).toBe(4);
  });

  describe('with a read-only topology', () => {
    const host = 'platform.io/hostname';
    const endpoint = (more: JsonObject) => ({ addresses: ['10.0.0.1'], ...more });
    const old = slice(
      { endpoints: [endpoint({ deprecatedTopology: { [host]: 'n1', rack: 'r' } })] },
      { generation: 3 },
    );
    const updated = (more: JsonObject) => {
      const object = slice({ endpoints: [endpoint(more)] }, { generation: 3 });
      handlers.prepareForUpdate?.(object, old, contextOf());
      return [object.metadata.generation, object.endpoints];
    };

    it('has none when it is created', () => {
      const object = slice({ endpoints: [endpoint({ deprecatedTopology: { [host]: 'n1', a: 'b' } }), endpoint({})] });
      handlers.prepareForCreate?.(object, contextOf());
      expect(object.endpoints).toEqual([endpoint({}), endpoint({})]);
    });

    it('keeps the stored one while its endpoints stay the same', () => {
      expect(updated({ deprecatedTopology: { [host]: 'n1', rack: 'r' } })).toEqual([3, old.endpoints]);
    });

    it('loses it in a change, except for nodes that were there before', () => {
      expect(updated({ zone: 'z', deprecatedTopology: { a: 'c' } })).toEqual([4, [endpoint({ zone: 'z' })]]);
      expect(updated({ deprecatedTopology: { [host]: 'n1' } })).toEqual([4, [endpoint({ nodeName: 'n1' })]]);
      expect(updated({ deprecatedTopology: { [host]: 'n2' } })).toEqual([4, [endpoint({})]]);
      expect(updated({ nodeName: 'n3', deprecatedTopology: { [host]: 'n1' } })).toEqual([
        4,
        [endpoint({ nodeName: 'n3' })],
      ]);
    });
  });

  it('shows three of its ports and addresses', () => {
    const ports = [{ port: 80 }, { name: 'b' }, {}, { port: 1 }];
    const endpoints = [{ addresses: ['10.0.0.1', '10.0.0.2'] }];
    expect(handlers.columns?.Ports?.(slice({ ports, endpoints }), 0)).toBe('80,b,* + 1 more...');
    expect(handlers.columns?.Endpoints?.(slice({ ports, endpoints }), 0)).toBe('10.0.0.1,10.0.0.2');
    expect(handlers.columns?.Ports?.(slice({}), 0)).toBe('<unset>');
  });
});

it('refuses new addresses that programs read differently, in later releases', () => {
  const found = (release: '1.35' | '1.36') =>
    changeErrorsOf(
      defineEndpointSlices(platformNaming, emulate(release)),
      slice({ endpoints: [{ addresses: ['010.0.0.1', '010.0.0.2'] }] }),
      slice({ endpoints: [{ addresses: ['010.0.0.1'] }] }),
    );
  expect([found('1.35'), found('1.36')]).toEqual([
    [],
    ['endpoints[0].addresses[1]: Invalid value: "010.0.0.2": must not have leading 0s'],
  ]);
});
