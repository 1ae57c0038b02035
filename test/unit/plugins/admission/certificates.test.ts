import { describe, expect, it } from 'vitest';
import {
  defineCertificateApproval,
  defineCertificateSigning,
  defineCertificateSubjectRestriction,
  defineClusterTrustBundleAttest,
} from '../../../../plugins/index.js';
import type { AuthorizationAttributes, JsonObject } from '../../../../runtime/contract/index.js';
import { Metrics, metricTable, observerOf } from '../../../../runtime/metrics/index.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/names/naming.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { hostOf } from '../../../support/admission-host.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { makeCertificate, makeKeys, makeRequest } from '../../../support/certificates.js';
import { moduleOf } from '../../../support/modules.js';
import { contextWith, object, requests, write } from './attributes.js';

describe('CertificateSubjectRestriction', async () => {
  const plugin = defineCertificateSubjectRestriction(platformNaming);
  const context = contextWith({});
  const client = 'platform.io/apiserver-client';

  const ask = async (signerName: string, subject: string) => {
    const request = Buffer.from(await makeRequest(subject)).toString('base64');
    return write({ resource: requests, namespace: '', name: 'r', object: object({ spec: { signerName, request } }) });
  };

  testAdmissionPlugin({
    plugin,
    admitted: await ask(client, 'O=devs, CN=alice'),
    refused: await ask(client, 'O=system:masters, CN=mallory'),
    context,
    words: ['signerName', 'request', client],
  });

  describe('requests for the group of administrators', () => {
    it('are refused, in any order of the organizations', async () =>
      expect(await runPlugin(plugin, await ask(client, 'O=devs, O=system:masters, CN=eve'), context)).toEqual({
        reason: 'Forbidden',
        message: `certificatesigningrequests.certificates.platform.io "r" is forbidden: use of ${client} signer with system:masters group is not allowed`,
        details: { name: 'r', group: 'certificates.platform.io', kind: 'certificatesigningrequests' },
      }));

    it('are ignored for other signers', async () => {
      for (const signer of [
        'example.com/signer',
        'platform.io/apiserver-client-agent',
        'kubernetes.io/kube-apiserver-client',
      ]) {
        expect(await runPlugin(plugin, await ask(signer, 'O=system:masters'), context)).toBeUndefined();
      }
    });

    it('are refused under the served naming', async () => {
      const served = defineCertificateSubjectRestriction(kubernetesNaming);
      const attributes = await ask('kubernetes.io/kube-apiserver-client', 'O=system:masters');
      expect(await served.validate?.(attributes, context)).toMatchObject({ reason: 'Forbidden' });
    });
  });

  it('checks only the one group, and not the common name', async () => {
    for (const subject of ['O=system:masters2', 'O=System:Masters', 'CN=system:masters', 'OU=system:masters']) {
      expect(await runPlugin(plugin, await ask(client, subject), context)).toBeUndefined();
    }
  });

  it('refuses a malformed request', async () => {
    const attributes = write({ resource: requests, object: object({ spec: { signerName: client, request: 'bm8=' } }) });
    expect(await runPlugin(plugin, attributes, context)).toMatchObject({
      reason: 'Forbidden',
      message: expect.stringContaining('failed to parse CSR: PEM block type must be CERTIFICATE REQUEST'),
    });
  });

  it('handles creates of requests only', () => {
    expect(plugin.handles(requests, 'CREATE', '')).toBe(true);
    expect(plugin.handles(requests, 'UPDATE', '')).toBe(false);
    expect(plugin.handles(requests, 'CREATE', 'status')).toBe(false);
  });
});

describe('CertificateApproval and CertificateSigning', () => {
  const request = (signerName: string, status: JsonObject = {}) => object({ spec: { signerName }, status });

  /** Makes an update of a request for a signer. */
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

      it('accepts the right on a whole domain', async () => {
        expect(await runPlugin(plugin, update(subresource), mayOnly(verb, 'example.com/*'))).toBeUndefined();
        expect(await runPlugin(plugin, update(subresource), mayOnly(verb, '*', 'com/*'))).toBeDefined();
      });

      it('checks the stored signer, and names it', async () =>
        expect(await runPlugin(plugin, update(subresource), mayOnly(verb, 'other.example.com/claimed'))).toEqual({
          reason: 'Forbidden',
          message: `certificatesigningrequests.certificates.platform.io "r" is forbidden: user not permitted to ${verb} requests with signerName "example.com/signer"`,
          details: { name: 'r', group: 'certificates.platform.io', kind: 'certificatesigningrequests' },
        }));

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

      it('waits for a slow authorizer', async () => {
        const slow = { ...contextWith({}), authorize: () => Promise.resolve(false) };
        expect(await runPlugin(plugin, update(subresource), slow)).toBeDefined();
      });
    });
  }

  describe('CertificateSigning', () => {
    const plugin = defineCertificateSigning(platformNaming);
    const nobody = contextWith({}, () => false);

    it('lets anyone write the rest of a request', async () =>
      expect(await runPlugin(plugin, update('status', 'example.com/signer', {}), nobody)).toBeUndefined());

    it('checks the right if only conditions change', async () => {
      const failed = { conditions: [{ type: 'Failed', status: 'True' }] };
      expect(await runPlugin(plugin, update('status', 'example.com/signer', failed), nobody)).toBeDefined();
    });

    it('counts certificates for requests with a duration, and whether the signer respected it', async () => {
      const counting = new Metrics({ release: '0.1', prefix: 'platform', api: emulate('latest') });
      const signing = defineCertificateSigning(platformNaming);
      signing.start?.({ ...hostOf([requests]), observer: observerOf(counting) });
      const made = await makeCertificate(await makeKeys());
      const seconds = (made.notAfter.getTime() - made.notBefore.getTime()) / 1000;
      const certificate = Buffer.from(made.toString('pem')).toString('base64');
      const issue = async (signerName: string, expirationSeconds?: number) => {
        const oldObject = object({ spec: { signerName, expirationSeconds } });
        await runPlugin(signing, { ...update('status', signerName, { certificate }), oldObject }, contextWith({}));
      };
      await issue('example.com/signer');
      await issue('example.com/signer', seconds * 2);
      await issue('platform.io/kubelet-serving', seconds);
      const { requestedDurations, honoredDurations } = metricTable.kinds.metrics;
      const shown = [requestedDurations, honoredDurations].map((metric) =>
        [...counting.number(metric).all].map(({ labels, value }) => [...labels, value]),
      );
      expect(shown).toEqual([
        [
          ['other', 1],
          ['platform.io/kubelet-serving', 1],
        ],
        [['platform.io/kubelet-serving', 1]],
      ]);
    });
  });

  it('follows the served naming', () => {
    const served = moduleOf('certificates.k8s.io', 'certificatesigningrequests', 'CertificateSigningRequest');
    expect(defineCertificateApproval(kubernetesNaming).handles(served, 'UPDATE', 'approval')).toBe(true);
    expect(defineCertificateApproval(platformNaming).handles(served, 'UPDATE', 'approval')).toBe(false);
  });
});

describe('ClusterTrustBundleAttest', () => {
  const bundles = moduleOf('certificates.k8s.io', 'clustertrustbundles', 'ClusterTrustBundle', { scope: 'Cluster' });
  const plugin = defineClusterTrustBundleAttest(kubernetesNaming);
  const bundle = (signerName: string) =>
    write({ resource: bundles, namespace: '', object: object({ spec: { signerName } }) });
  const mayAttestFor = (...names: string[]) =>
    contextWith(
      {},
      ({ verb, group, resource, name = '' }: AuthorizationAttributes) =>
        verb === 'attest' && group === 'certificates.k8s.io' && resource === 'signers' && names.includes(name),
    );

  testAdmissionPlugin({
    plugin,
    admitted: bundle('example.com/own'),
    refused: bundle('example.com/foreign'),
    context: mayAttestFor('example.com/own'),
    words: ['signerName'],
  });

  it('asks for the signer, then for all of its domain', async () => {
    expect(await runPlugin(plugin, bundle('example.com/a'), mayAttestFor('example.com/*'))).toBeUndefined();
    expect(await runPlugin(plugin, bundle('other.com/a'), mayAttestFor('example.com/*'))).toMatchObject({
      reason: 'Forbidden',
      message:
        'clustertrustbundles.certificates.k8s.io "a" is forbidden: user not permitted to attest for signerName "other.com/a"',
    });
  });

  it('lets everybody write bundles without a signer', async () =>
    expect(await runPlugin(plugin, bundle(''), mayAttestFor())).toBeUndefined());
});
