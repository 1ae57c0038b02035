/** CertificateApproval and CertificateSigning: rights on signers. */
import { describe, expect, it } from 'vitest';
import { defineCertificateApproval, defineCertificateSigning } from '../../../../plugins/index.js';
import type { AuthorizationAttributes, JsonObject } from '../../../../runtime/contract/index.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/naming.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { contextWith, object, requests, write } from './attributes.js';

const request = (signerName: string, status: JsonObject = {}) => object({ spec: { signerName }, status });

/** An update of a request for a signer. */
const update = (subresource: string, signer = 'example.com/signer', status: JsonObject = { certificate: 'x' }) =>
  write({
    operation: 'UPDATE',
    resource: requests,
    subresource,
    namespace: '',
    name: 'r',
    object: request('other.example.com/claimed', status),
    oldObject: request(signer),
  });

const mayOnly = (verb: string, ...names: string[]) =>
  contextWith({}, (asked) => asked.verb === verb && names.includes(asked.name ?? ''));

const cases = [
  ['approval', 'approve', defineCertificateApproval(platformNaming)],
  ['status', 'sign', defineCertificateSigning(platformNaming)],
] as const;

for (const [subresource, verb, plugin] of cases) {
  describe(plugin.name, () => {
    testAdmissionPlugin({
      plugin,
      admitted: update(subresource),
      refused: update(subresource, 'bad.example.com/signer'),
      context: mayOnly(verb, 'example.com/signer'),
      words: ['signerName', 'conditions', 'certificate'],
    });

    it('handles updates of its subresource only', () => {
      expect(plugin.handles(requests, 'UPDATE', subresource)).toBe(true);
      expect(plugin.handles(requests, 'UPDATE', '')).toBe(false);
      expect(plugin.handles(requests, 'CREATE', subresource)).toBe(false);
      const other = moduleOf('example.com', 'certificatesigningrequests', 'CertificateSigningRequest');
      expect(plugin.handles(other, 'UPDATE', subresource)).toBe(false);
    });

    it('takes the right on a whole domain', async () => {
      expect(await runPlugin(plugin, update(subresource), mayOnly(verb, 'example.com/*'))).toBeUndefined();
      expect(await runPlugin(plugin, update(subresource), mayOnly(verb, '*', 'com/*'))).toBeDefined();
    });

    it('asks about the stored signer, and says which it is', async () => {
      expect(await runPlugin(plugin, update(subresource), mayOnly(verb, 'other.example.com/claimed'))).toEqual({
        reason: 'Forbidden',
        message: `certificatesigningrequests.certificates.platform.io "r" is forbidden: user not permitted to ${verb} requests with signerName "example.com/signer"`,
        details: { name: 'r', group: 'certificates.platform.io', kind: 'certificatesigningrequests' },
      });
    });

    it('asks for the user, the verb and the resource', async () => {
      const asked: AuthorizationAttributes[] = [];
      await runPlugin(
        plugin,
        update(subresource),
        contextWith({}, (one) => asked.push(one) < 0),
      );
      expect(asked).toMatchObject([
        {
          user: { name: 'someone' },
          verb,
          group: 'certificates.platform.io',
          resource: 'signers',
          name: 'example.com/signer',
        },
        { name: 'example.com/*' },
      ]);
    });

    it('waits for an authorizer that takes its time', async () => {
      const slow = { ...contextWith({}), authorize: () => Promise.resolve(false) };
      expect(await runPlugin(plugin, update(subresource), slow)).toBeDefined();
    });
  });
}

describe('CertificateSigning', () => {
  const plugin = defineCertificateSigning(platformNaming);
  const nobody = contextWith({}, () => false);

  it('lets anyone write the rest of a request', async () => {
    expect(await runPlugin(plugin, update('status', 'example.com/signer', {}), nobody)).toBeUndefined();
  });

  it('asks where conditions change, too', async () => {
    const failed = { conditions: [{ type: 'Failed', status: 'True' }] };
    expect(await runPlugin(plugin, update('status', 'example.com/signer', failed), nobody)).toBeDefined();
  });
});

it('goes by the names that are served', () => {
  const served = moduleOf('certificates.k8s.io', 'certificatesigningrequests', 'CertificateSigningRequest');
  expect(defineCertificateApproval(kubernetesNaming).handles(served, 'UPDATE', 'approval')).toBe(true);
  expect(defineCertificateApproval(platformNaming).handles(served, 'UPDATE', 'approval')).toBe(false);
});
