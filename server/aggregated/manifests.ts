/** Prints the objects with which a cluster runs a server behind its aggregation layer. */
import { printDefinition } from '../../generator/import/index.js';
import type { ResourceModel } from '../../generator/model/model.js';
import type { KeyPair } from '../../plugins/index.js';
import type { JsonObject } from '../../runtime/contract/index.js';
import { apiServicesOf, rightsOf, rolesOf } from './manifest-kinds.js';

/** The options of the objects. */
export interface ManifestOptions {
  /** The name of the Deployment, the Service and all others. */
  readonly name: string;
  readonly namespace: string;
  /** Whether to print the Namespace, too. */
  readonly withNamespace: boolean;
  /** As in `registry.example.com/shop:1.0`. */
  readonly image: string;
  /** The authority of the serving certificate, in PEM. */
  readonly authority: string;
  /** The serving certificate and its key; absent if something else makes the Secret `<name>-tls`. */
  readonly serving: KeyPair | undefined;
}

/** Prints the objects in YAML, in an order in which clients can create them. */
export function printManifests(resources: readonly ResourceModel[], options: ManifestOptions): string {
  const { namespace, name, withNamespace, serving } = options;
  const labels = { app: name };
  const inNamespace = { name, namespace, labels };
  const objects: readonly JsonObject[] = [
    ...(withNamespace ? [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }] : []),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: inNamespace },
    ...rightsOf(options),
    ...rolesOf(resources, name),
    ...(serving ? [secretOf(serving, inNamespace)] : []),
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: inNamespace,
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: inNamespace,
      spec: { selector: labels, ports: [{ name: 'https', port: 443, targetPort: 'https' }] },
    },
    deploymentOf(options),
    ...apiServicesOf(resources, options),
  ];
  return objects.map(printDefinition).join('---\n');
}

const secretOf = (
  { cert, key }: KeyPair,
  { name, ...metadata }: { readonly name: string } & JsonObject,
): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: `${name}-tls`, ...metadata },
  type: 'kubernetes.io/tls',
  data: { 'tls.crt': base64(cert), 'tls.key': base64(key) },
});

/** Encodes a text in base64, as for fields of bytes. */
const base64 = (text: string): string => Buffer.from(text).toString('base64');

function deploymentOf({ name, namespace, image }: ManifestOptions): JsonObject {
  const labels = { app: name };
  const probe = (path: string): JsonObject => ({ httpGet: { path, port: 'https', scheme: 'HTTPS' } });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      // Only one process may own the data.
      replicas: 1,
      strategy: { type: 'Recreate' },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          terminationGracePeriodSeconds: 60,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 65532,
            fsGroup: 65532,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          containers: [
            {
              name: 'server',
              image,
              args: [
                '--aggregated',
                '--storage=lmdb:/data',
                '--bind-address=0.0.0.0',
                '--tls-cert-file=/tls/tls.crt',
                '--tls-private-key-file=/tls/tls.key',
              ],
              ports: [{ name: 'https', containerPort: 6443 }],
              startupProbe: { ...probe('/livez'), failureThreshold: 60, periodSeconds: 2 },
              livenessProbe: probe('/livez'),
              readinessProbe: probe('/readyz'),
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
              resources: { requests: { cpu: '100m', memory: '256Mi' } },
              volumeMounts: [
                { name: 'data', mountPath: '/data' },
                { name: 'tls', mountPath: '/tls', readOnly: true },
                { name: 'tmp', mountPath: '/tmp' },
              ],
            },
          ],
          volumes: [
            { name: 'data', persistentVolumeClaim: { claimName: name } },
            { name: 'tls', secret: { secretName: `${name}-tls`, defaultMode: 0o440 } },
            { name: 'tmp', emptyDir: {} },
          ],
        },
      },
    },
  };
}
