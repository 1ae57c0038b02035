/** CertificateSubjectRestriction. */
import { describe, expect, it } from 'vitest';
import { defineCertificateSubjectRestriction } from '../../../../plugins/index.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/naming.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { makeRequest } from '../../../support/certificates.js';
import { contextWith, object, requests, write } from './attributes.js';

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
  it('are refused, wherever the group is among the organizations', async () => {
    expect(await runPlugin(plugin, await ask(client, 'O=devs, O=system:masters, CN=eve'), context)).toEqual({
      reason: 'Forbidden',
      message: `certificatesigningrequests.certificates.platform.io "r" is forbidden: use of ${client} signer with system:masters group is not allowed`,
      details: { name: 'r', group: 'certificates.platform.io', kind: 'certificatesigningrequests' },
    });
  });

  it('are other signers’ business', async () => {
    for (const signer of [
      'example.com/signer',
      'platform.io/apiserver-client-agent',
      'kubernetes.io/kube-apiserver-client',
    ]) {
      expect(await runPlugin(plugin, await ask(signer, 'O=system:masters'), context)).toBeUndefined();
    }
  });

  it('are refused by the names that are served', async () => {
    const served = defineCertificateSubjectRestriction(kubernetesNaming);
    const attributes = await ask('kubernetes.io/kube-apiserver-client', 'O=system:masters');
    expect(await served.validate?.(attributes, context)).toMatchObject({ reason: 'Forbidden' });
  });
});

it('looks at no group but the one, nor at the common name', async () => {
  for (const subject of ['O=system:masters2', 'O=System:Masters', 'CN=system:masters', 'OU=system:masters']) {
    expect(await runPlugin(plugin, await ask(client, subject), context)).toBeUndefined();
  }
});

it('refuses what it cannot read', async () => {
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
