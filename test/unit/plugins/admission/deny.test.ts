/** DenyServiceExternalIPs: addresses of Services may go and stay, but none may come. */
import { describe, expect, it } from 'vitest';
import { defineDenyServiceExternalIPs } from '../../../../plugins/index.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { contextWith, object, write } from './attributes.js';

const services = moduleOf('', 'services', 'Service');
const plugin = defineDenyServiceExternalIPs();
const withAddresses = (...externalIPs: string[]) => object({ spec: { externalIPs } });
const create = (...addresses: string[]) => write({ resource: services, object: withAddresses(...addresses) });
const update = (now: readonly string[], old: readonly string[]) =>
  write({
    operation: 'UPDATE',
    resource: services,
    object: withAddresses(...now),
    oldObject: withAddresses(...old),
  });

testAdmissionPlugin({
  plugin,
  admitted: create(),
  refused: create('192.0.2.1'),
  context: contextWith({}),
  words: ['externalIPs'],
});

describe('external addresses', () => {
  it.each([
    [['192.0.2.1'], ['192.0.2.1']],
    [['192.0.2.2'], ['192.0.2.1', '192.0.2.2']],
    [[], ['192.0.2.1']],
  ])('may become %j from %j', async (now, old) => {
    expect(await runPlugin(plugin, update(now, old), contextWith({}))).toBeUndefined();
  });

  it.each([
    [['192.0.2.1'], []],
    [
      ['192.0.2.1', '192.0.2.3'],
      ['192.0.2.1', '192.0.2.2'],
    ],
  ])('may not become %j from %j', async (now, old) => {
    expect(await runPlugin(plugin, update(now, old), contextWith({}))).toMatchObject({
      reason: 'Forbidden',
      message: 'services "a" is forbidden: Use of external IPs is denied by admission control',
    });
  });

  it('cannot be written by the status, which is not looked at', () => {
    expect(plugin.handles(services, 'UPDATE', 'status')).toBe(false);
    expect(plugin.handles(services, 'DELETE', '')).toBe(false);
  });
});
