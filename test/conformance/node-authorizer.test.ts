/** Compares the rights of nodes with the reference's, through the reference's own kind of review. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccessReview, askReviews } from '../support/access-reviews.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { type ListeningServer, startServing } from '../support/serving.js';
import { hasShared, shared } from '../support/shared.js';

const namespace = 'n';
const env = (from: object) => ({ name: 'A', valueFrom: from });

/** The objects of the facts. Their description is beside the facts. */
const objects: readonly (readonly [path: string, object: object])[] = [
  ['/api/v1/namespaces', { metadata: { name: namespace } }],
  [`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'runner' } }],
  [
    '/api/v1/persistentvolumes',
    {
      metadata: { name: 'pv' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        claimRef: { namespace, name: 'claim' },
        csi: {
          driver: 'd.example.com',
          volumeHandle: 'h',
          nodeStageSecretRef: { namespace, name: 'stage' },
          controllerPublishSecretRef: { namespace, name: 'publish' },
        },
      },
    },
  ],
  [
    `/api/v1/namespaces/${namespace}/pods`,
    {
      metadata: { name: 'p' },
      spec: {
        nodeName: 'a',
        serviceAccountName: 'runner',
        imagePullSecrets: [{ name: 's-pull' }],
        containers: [
          {
            name: 'c',
            image: 'i',
            env: [
              env({ secretKeyRef: { name: 's-env', key: 'k' } }),
              env({ configMapKeyRef: { name: 'c-env', key: 'k' } }),
            ],
            envFrom: [{ configMapRef: { name: 'c-from' } }],
          },
        ],
        volumes: [
          { name: 'v1', secret: { secretName: 's-vol' } },
          { name: 'v2', configMap: { name: 'c-vol' } },
          { name: 'v3', projected: { sources: [{ secret: { name: 's-proj' } }] } },
          { name: 'v4', persistentVolumeClaim: { claimName: 'claim' } },
          {
            name: 'v5',
            ephemeral: {
              volumeClaimTemplate: {
                spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
              },
            },
          },
        ],
        resourceClaims: [{ name: 'r', source: { resourceClaimName: 'rc' } }],
      },
    },
  ],
  [
    `/api/v1/namespaces/${namespace}/pods`,
    { metadata: { name: 'q' }, spec: { nodeName: 'b', containers: [{ name: 'c', image: 'i' }] } },
  ],
  [
    '/apis/storage.k8s.io/v1/volumeattachments',
    {
      metadata: { name: 'va' },
      spec: { attacher: 'd.example.com', nodeName: 'a', source: { persistentVolumeName: 'pv' } },
    },
  ],
];

describe.skipIf(!hasShared)('nodes (skipped if the facts are not beside the checkout)', () => {
  const folder = scratchFolder();
  let facts: readonly AccessReview[];
  let server: ListeningServer;
  beforeAll(async () => {
    facts = JSON.parse(readFileSync(shared('reference/node-authorizer-1.27.json'), 'utf8'));
    const tokenAuthFile = join(folder, 'tokens.csv');
    writeFileSync(tokenAuthFile, 'root,root,1,system:masters\n');
    server = await startServing({ naming: 'kubernetes', authorizationMode: 'Node,RBAC', tokenAuthFile });
    for (const [path, object] of objects) {
      const response = await fetch(server.url + path, {
        method: 'POST',
        headers: { authorization: 'Bearer root', 'content-type': 'application/json' },
        body: JSON.stringify(object),
      });
      expect(response.status, await response.text()).toBe(201);
    }
  });
  afterAll(async () => {
    await server.stop();
  });

  it('get every review answered as recorded', async () => {
    const specs = facts.map(({ spec }) => spec);
    expect(await askReviews(server.url, 'root', specs)).toEqual(facts);
  });
});
