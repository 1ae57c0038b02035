import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../../../runtime/objects/guards.js';
import { type AggregateOptions, printAggregated } from '../../../../server/aggregated/print-manifests.js';
import { servingOf } from '../../../support/behind-cluster.js';
import { makeAuthority } from '../../../support/certificate-authority.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const folder = scratchFolder();
const usual: AggregateOptions = {
  ...{ schemas: 'examples/shop/schemas', name: 'shop', namespace: 'team', withNamespace: true },
  ...{ image: 'shop:1', authorityFile: undefined },
};
const print = (options: Partial<AggregateOptions> = {}): Promise<string> => printAggregated({ ...usual, ...options });
const kindsIn = (text: string): unknown[] => loadAll(text).map((one) => (isObject(one) ? one.kind : one));

describe('the printed objects', () => {
  it('can be created in their order', async () => {
    expect(kindsIn(await print())).toEqual([
      ...['Namespace', 'ServiceAccount', 'ClusterRoleBinding', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'],
      ...['ClusterRole', 'ClusterRole', 'Secret', 'PersistentVolumeClaim', 'Service', 'Deployment', 'APIService'],
    ]);
    expect(kindsIn(await print({ withNamespace: false }))).not.toContain('Namespace');
  });

  it('have a certificate for the Service, and its authority in each APIService', async () => {
    const { pair, authority } = servingOf(await print());
    const certificate = new X509Certificate(pair.cert);
    expect(certificate.checkHost('shop.team.svc')).toBe('shop.team.svc');
    expect(certificate.verify(new X509Certificate(authority).publicKey)).toBe(true);
  });

  it('have the given authority, and no Secret, if the certificate comes from elsewhere', async () => {
    const { cert } = await makeAuthority('CN=elsewhere');
    const authorityFile = join(folder, 'ca.crt');
    writeFileSync(authorityFile, cert);
    const text = await print({ authorityFile });
    expect(kindsIn(text)).not.toContain('Secret');
    expect(servingOf(text).authority).toBe(cert);
  });

  it('have an APIService for each served version, the best one first', async () => {
    const schemas = join(folder, 'crd.yaml');
    const version = (name: string, served = true, storage = false) => ({
      ...{ name, served, storage },
      schema: { openAPIV3Schema: { type: 'object' } },
    });
    const definition = {
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
      metadata: { name: 'doors.house.example.com' },
      spec: {
        ...{ group: 'house.example.com', scope: 'Cluster', names: { plural: 'doors', kind: 'Door' } },
        versions: [version('v1beta1'), version('v1', true, true), version('v2'), version('v0', false)],
      },
    };
    writeFileSync(schemas, JSON.stringify(definition));
    const objects = loadAll(await print({ schemas: folder })).filter(isObject);
    const services = objects.filter(({ kind }) => kind === 'APIService');
    expect(services).toMatchObject([
      { metadata: { name: 'v2.house.example.com' }, spec: { versionPriority: 100, groupPriorityMinimum: 1000 } },
      { metadata: { name: 'v1.house.example.com' }, spec: { versionPriority: 99 } },
      { metadata: { name: 'v1beta1.house.example.com' }, spec: { versionPriority: 98 } },
    ]);
    // Roles of namespaces give no rights to cluster-scoped kinds.
    expect(JSON.stringify(objects)).not.toContain('aggregate-to');
  });

  it.each([
    [{ name: 'Shop' }, '--name Shop: must be a DNS label, as in my-shop'],
    [{ namespace: '' }, '--namespace (nothing): must be a DNS label'],
    [{ authorityFile: 'none.crt' }, '--ca-file none.crt: ENOENT'],
    [{ authorityFile: 'package.json' }, '--ca-file package.json: no certificate in PEM'],
  ])('are refused for %o', async (options, message) => {
    await expect(print(options)).rejects.toThrow(message);
  });
});
