/** The notice at the start about stored admission webhooks. */
import { expect, it } from 'vitest';
import { createClient } from '../../../generated/index.js';
import { kubernetesNaming, platformNaming } from '../../../runtime/objects/naming.js';
import { startServer } from '../../../server/index.js';
import { webhookNotices } from '../../../server/webhook-notice.js';

it('counts the stored objects of both kinds', async () => {
  const server = await startServer({ http: false, naming: 'platform' });
  try {
    expect(webhookNotices(server.store, platformNaming)).toEqual([]);
    const { v1 } = createClient(server.client()).admissionregistration;
    for (const name of ['a', 'b']) await v1.validatingWebhookConfigurations.create({ metadata: { name } });
    await v1.mutatingWebhookConfigurations.create({ metadata: { name: 'c' } });
    expect(webhookNotices(server.store, platformNaming)).toEqual([
      'the 2 stored ValidatingWebhookConfigurations have no effect: this server does not call admission webhooks yet',
      'the stored MutatingWebhookConfiguration has no effect: this server does not call admission webhooks yet',
    ]);
  } finally {
    await server.stop();
  }
});

it('looks where the objects are under the names that are served', () => {
  const asked: string[] = [];
  const count = (prefix: string): number => asked.push(prefix) - asked.length;
  expect(webhookNotices({ count }, kubernetesNaming)).toEqual([]);
  expect(asked.sort()).toEqual([
    'admissionregistration.k8s.io/mutatingwebhookconfigurations/',
    'admissionregistration.k8s.io/validatingwebhookconfigurations/',
  ]);
});
