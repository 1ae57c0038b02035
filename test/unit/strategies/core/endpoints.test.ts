import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { defineEndpoints } from '../../../../strategies/core/endpoints.js';
import { changeErrorsOf, errorsOf, objectOf } from '../../../support/field-errors.js';

const handlers = defineEndpoints();
const endpoints = (...subsets: JsonObject[]) => objectOf(handlers, { subsets });
const at = (...ips: string[]) => ips.map((ip) => ({ ip }));

describe('endpoints', () => {
  it.each([
    [{}, ['subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`']],
    [
      { addresses: at('x') },
      [
        'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address',
      ],
    ],
    [
      { notReadyAddresses: at('127.0.0.1', '::', 'fe80::1', '224.0.0.5') },
      [
        'subsets[0].notReadyAddresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'subsets[0].notReadyAddresses[1].ip: Invalid value: "::": may not be unspecified (::)',
        'subsets[0].notReadyAddresses[2].ip: Invalid value: "fe80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
        'subsets[0].notReadyAddresses[3].ip: Invalid value: "224.0.0.5": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
      ],
    ],
    [
      { addresses: at('10.0.0.1'), ports: [{ port: 0 }, { port: 1, name: 'b' }] },
      [
        'subsets[0].ports[0].name: Required value',
        'subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      ],
    ],
  ])('are refused with %j', (subset, expected) => expect(errorsOf(handlers, endpoints(subset))).toEqual(expected));

  it.each([
    [[], '<none>'],
    [[{ addresses: at('10.0.0.1', '10.0.0.2') }], '10.0.0.1,10.0.0.2'],
    [
      [{ addresses: at('10.0.0.1', 'fd00::1'), ports: [{ port: 80 }, { port: 443 }] }],
      '10.0.0.1:80,[fd00::1]:80,10.0.0.1:443 + 1 more...',
    ],
    [[{ notReadyAddresses: at('10.0.0.1') }], ''],
  ])('%j are shown as %j', (subsets, text) =>
    expect(handlers.columns?.Endpoints?.(endpoints(...subsets), 0)).toBe(text),
  );
});

it('refuses new addresses that programs read differently, in later releases', () => {
  const found = (release: '1.35' | '1.36') =>
    changeErrorsOf(
      defineEndpoints(emulate(release)),
      endpoints({ addresses: at('010.0.0.1'), notReadyAddresses: at('010.0.0.2') }),
      endpoints({ addresses: at('010.0.0.1') }),
    );
  expect([found('1.35'), found('1.36')]).toEqual([
    [],
    ['subsets[0].notReadyAddresses[0].ip: Invalid value: "010.0.0.2": must not have leading 0s'],
  ]);
});
