import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../runtime/contract/index.js';
import { fieldErrorText } from '../../../../../runtime/objects/field-error.js';
import { kubernetesNaming } from '../../../../../runtime/objects/names/naming.js';
import { type EmulatedVersion, emulate } from '../../../../../runtime/objects/release.js';
import { validatePodSpec } from '../../../../../strategies/core/pod-spec/pod-spec.js';
import { canonicalizePod } from '../../../../../strategies/core/pod-spec/pod-template.js';
import { servingOf } from '../../../../../strategies/shared/serving.js';

/** Makes a container with the defaults of the definition. */
const container = (more: JsonObject = {}): JsonObject => ({
  name: 'c',
  image: 'image:1',
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  ...more,
});

const podSpec = (more: JsonObject): JsonObject => {
  const spec: JsonObject = { restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', containers: [container()], ...more };
  canonicalizePod({ apiVersion: 'v1', kind: 'Pod', metadata: {}, spec }, kubernetesNaming);
  return spec;
};

const errorsOf = (more: JsonObject, podName = '', version?: EmulatedVersion): string[] =>
  validatePodSpec(podSpec(more), 'spec', {
    ...servingOf(kubernetesNaming, emulate(version)),
    annotationsPath: 'metadata.annotations',
    podName,
  }).map(fieldErrorText);

const withContainer = (more: JsonObject): JsonObject => ({ containers: [container(more)] });
const withVolume = (source: JsonObject): JsonObject => ({ volumes: [{ name: 'v', ...source }] });
const tcp = { tcpSocket: { port: 80 }, successThreshold: 1 };
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

type Case = readonly [title: string, spec: JsonObject, errors: readonly string[]];

function refuses(what: string, cases: readonly Case[]): void {
  describe(what, () => {
    it.each(cases)('%s', (_title, spec, errors) => expect(errorsOf(spec)).toEqual(errors));
  });
}

refuses('containers', [
  ['are there', { containers: [] }, ['spec.containers: Required value']],
  ['have an image', withContainer({ image: '' }), ['spec.containers[0].image: Required value']],
  ['have a name', withContainer({ name: '' }), ['spec.containers[0].name: Required value']],
  [
    'have different names',
    { containers: [container(), container()] },
    ['spec.containers[1].name: Duplicate value: "c"'],
  ],
  [
    'have names that containers before them do not have',
    { initContainers: [container()] },
    ['spec.initContainers[0].name: Duplicate value: "c"'],
  ],
  [
    'that go before others have no probes',
    { initContainers: [container({ name: 'i', lifecycle: {}, readinessProbe: tcp })] },
    [
      'spec.initContainers[0].lifecycle: Forbidden: may not be set for init containers',
      'spec.initContainers[0].readinessProbe: Forbidden: may not be set for init containers',
    ],
  ],
  [
    'are fetched by a policy that is known',
    withContainer({ imagePullPolicy: 'Sometimes' }),
    [
      'spec.containers[0].imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"',
    ],
  ],
  [
    'tell of their end in a way that is known',
    withContainer({ terminationMessagePolicy: 'Never' }),
    [
      'spec.containers[0].terminationMessagePolicy: Unsupported value: "Never": supported values: "File", "FallbackToLogsOnError"',
    ],
  ],
]);

refuses('ports', [
  [
    'have a number',
    withContainer({ ports: [{ protocol: 'TCP' }] }),
    ['spec.containers[0].ports[0].containerPort: Required value'],
  ],
  [
    'are ports',
    withContainer({ ports: [{ containerPort: 65536, hostPort: -1, protocol: 'UDP' }] }),
    [
      'spec.containers[0].ports[0].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive',
      'spec.containers[0].ports[0].hostPort: Invalid value: -1: must be between 1 and 65535, inclusive',
    ],
  ],
  [
    'have different names',
    withContainer({
      ports: [
        { name: 'a', containerPort: 1, protocol: 'TCP' },
        { name: 'a', containerPort: 2, protocol: 'TCP' },
      ],
    }),
    ['spec.containers[0].ports[1].name: Duplicate value: "a"'],
  ],
  [
    'of the node are taken once',
    {
      containers: [
        container({ ports: [{ containerPort: 1, hostPort: 8, protocol: 'TCP' }] }),
        container({ name: 'd', ports: [{ containerPort: 1, hostPort: 8, protocol: 'TCP' }] }),
      ],
    },
    ['spec.containers[1].ports[0].hostPort: Duplicate value: "TCP//8"'],
  ],
  [
    'are those of the node in its network',
    { hostNetwork: true, ...withContainer({ ports: [{ containerPort: 1, hostPort: 8, protocol: 'TCP' }] }) },
    ['spec.containers[0].ports[0].containerPort: Invalid value: 1: must match `hostPort` when `hostNetwork` is true'],
  ],
]);

refuses('the environment', [
  ['has names', withContainer({ env: [{ name: '', value: 'x' }] }), ['spec.containers[0].env[0].name: Required value']],
  [
    'has one source for a value',
    withContainer({ env: [{ name: 'A', valueFrom: {} }] }),
    [
      'spec.containers[0].env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
    ],
  ],
  [
    'has a value or a source',
    withContainer({ env: [{ name: 'A', value: 'x', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] }),
    ['spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty'],
  ],
  [
    'knows fields of the pod',
    withContainer({ env: [{ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.x' } } }] }),
    [
      'spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.x": error converting fieldPath: field label not supported: spec.x',
    ],
  ],
  [
    'knows single labels',
    withContainer({
      env: [{ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: "metadata.labels['app']" } } }],
    }),
    [],
  ],
  [
    'counts bytes in units',
    withContainer({ env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '2' } } }] }),
    [
      'spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor\'s values 1m and 1 are supported with the cpu resource',
    ],
  ],
  [
    'takes over one thing at a time',
    withContainer({ envFrom: [{}, { configMapRef: { name: '' } }] }),
    [
      'spec.containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
      'spec.containers[0].envFrom[1].configMapRef.name: Required value',
    ],
  ],
]);

refuses('mounts', [
  [
    'are of volumes of the pod',
    withContainer({ volumeMounts: [{ name: 'v', mountPath: '/x' }] }),
    ['spec.containers[0].volumeMounts[0].name: Not found: "v"'],
  ],
  [
    'are in different places',
    {
      ...withVolume({ emptyDir: {} }),
      ...withContainer({
        volumeMounts: [
          { name: 'v', mountPath: '/x' },
          { name: 'v', mountPath: '/x', subPath: '../up' },
        ],
      }),
    },
    [
      'spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/x": must be unique',
      'spec.containers[0].volumeMounts.subPath: Invalid value: "../up": must not contain \'..\'',
    ],
  ],
  [
    'reach the node from privileged containers only',
    {
      ...withVolume({ emptyDir: {} }),
      ...withContainer({ volumeMounts: [{ name: 'v', mountPath: '/x', mountPropagation: 'Bidirectional' }] }),
    },
    [
      'spec.containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
    ],
  ],
  [
    'are read-only as a whole only if nothing can be mounted later',
    {
      ...withVolume({ emptyDir: {} }),
      ...withContainer({
        volumeMounts: [
          { name: 'v', mountPath: '/x', recursiveReadOnly: 'Enabled', mountPropagation: 'HostToContainer' },
          { name: 'v', mountPath: '/y', recursiveReadOnly: 'IfPossible', readOnly: true, mountPropagation: 'None' },
          { name: 'v', mountPath: '/z', recursiveReadOnly: 'Maybe' },
        ],
      }),
    },
    [
      'spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true',
      'spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when mountPropagation is None or not specified',
      'spec.containers[0].volumeMounts.recursiveReadOnly: Unsupported value: "Maybe": supported values: "Disabled", "Enabled", "IfPossible"',
    ],
  ],
  [
    'as devices come from claims',
    { ...withVolume({ emptyDir: {} }), ...withContainer({ volumeDevices: [{ name: 'v', devicePath: '/x' }] }) },
    [
      'spec.containers[0].volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
    ],
  ],
]);

refuses('probes', [
  [
    'do something',
    withContainer({ livenessProbe: { successThreshold: 1 } }),
    ['spec.containers[0].livenessProbe: Required value: must specify a handler type'],
  ],
  [
    'do one thing',
    withContainer({ livenessProbe: { ...tcp, exec: { command: ['x'] } } }),
    ['spec.containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type'],
  ],
  [
    'that end a container succeed once',
    withContainer({ startupProbe: { ...tcp, successThreshold: 2, periodSeconds: -1 } }),
    [
      'spec.containers[0].startupProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
      'spec.containers[0].startupProbe.successThreshold: Invalid value: 2: must be 1',
    ],
  ],
  [
    'of readiness end nothing',
    withContainer({ readinessProbe: { ...tcp, terminationGracePeriodSeconds: 1 } }),
    [
      'spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 1: must not be set for readinessProbes',
    ],
  ],
  [
    'ask at ports',
    withContainer({ lifecycle: { preStop: { httpGet: { path: '/', scheme: 'FTP', port: 'Port' } } } }),
    [
      'spec.containers[0].lifecycle.preStop.httpGet.port: Invalid value: "Port": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      'spec.containers[0].lifecycle.preStop.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"',
    ],
  ],
]);

refuses('resources', [
  [
    'are known',
    withContainer({ resources: { requests: { gold: '1' } } }),
    [
      'spec.containers[0].resources.requests[gold]: Invalid value: "gold": must be a standard resource type or fully qualified',
      'spec.containers[0].resources.requests[gold]: Invalid value: "gold": must be a standard resource for containers',
    ],
  ],
  [
    'stay within limits',
    withContainer({ resources: { limits: { cpu: '500m' }, requests: { cpu: '2' } } }),
    ['spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 500m'],
  ],
  [
    'of others are whole, and limited to what is asked for',
    withContainer({ resources: { limits: { 'example.com/gpu': '1500m' }, requests: { 'example.com/gpu': '1' } } }),
    [
      'spec.containers[0].resources.limits[example.com/gpu]: Invalid value: resource.Quantity{i:resource.int64Amount{value:1500, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"1500m", Format:"DecimalSI"}: must be an integer',
      'spec.containers[0].resources.requests: Invalid value: "1": must be equal to example.com/gpu limit of 1500m',
    ],
  ],
  [
    'in huge pages are not alone',
    withContainer({ resources: { limits: { 'hugepages-2Mi': '2Mi' } } }),
    ['spec.containers[0].resources: Forbidden: HugePages require cpu or memory'],
  ],
  [
    'in huge pages come in whole ones',
    withContainer({ resources: { limits: { cpu: '1', 'hugepages-2Mi': '3Mi' }, requests: { cpu: '1' } } }),
    [
      'spec.containers[0].resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
      'spec.containers[0].resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
    ],
  ],
  [
    'of claims are claimed',
    withContainer({ resources: { claims: [{ name: 'gpu' }] } }),
    [
      'spec.containers[0].resources.claims[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty',
    ],
  ],
]);

refuses('volumes', [
  [
    'have one source',
    withVolume({ emptyDir: {}, hostPath: { path: '/x' } }),
    ['spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type'],
  ],
  [
    'have different names',
    { volumes: [{ name: 'v' }, { name: 'v' }, { name: '' }] },
    ['spec.volumes[1].name: Duplicate value: "v"', 'spec.volumes[2].name: Required value'],
  ],
  [
    'of paths stay below them',
    withVolume({ hostPath: { path: '/a/../b' } }),
    ['spec.volumes[0].hostPath.path: Invalid value: "/a/../b": must not contain \'..\''],
  ],
  [
    'of secrets have files with permissions',
    withVolume({ secret: { secretName: '', defaultMode: 512, items: [{ key: 'k', path: '..x' }] } }),
    [
      'spec.volumes[0].secret.secretName: Required value',
      'spec.volumes[0].secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
      'spec.volumes[0].secret.items[0].path: Invalid value: "..x": must not start with \'..\'',
    ],
  ],
  [
    'of disks have partitions',
    withVolume({ gcePersistentDisk: { pdName: 'd', partition: 256 } }),
    ['spec.volumes[0].persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive'],
  ],
  ['of disks may be whole', withVolume({ gcePersistentDisk: { pdName: 'd', partition: 0 } }), []],
  [
    'of targets are named well',
    withVolume({ iscsi: { targetPortal: 'p', iqn: 'x', lun: 256, chapAuthSession: true } }),
    [
      'spec.volumes[0].iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa',
      'spec.volumes[0].iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
      'spec.volumes[0].iscsi.secretRef: Required value',
    ],
  ],
  [
    'of files about the pod know what to say',
    withVolume({
      downwardAPI: { items: [{ path: 'x' }, { path: 'y', resourceFieldRef: { resource: 'limits.cpu' } }] },
    }),
    [
      'spec.volumes[0].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
      'spec.volumes[0].downwardAPI.resourceFieldRef.containerName: Required value',
    ],
  ],
  [
    'of several sources have each file once',
    withVolume({
      projected: {
        sources: [
          { secret: { name: 's', items: [{ key: 'k', path: 'p' }] } },
          { configMap: { name: 'm', items: [{ key: 'k', path: 'p' }] } },
          { serviceAccountToken: { path: 't', expirationSeconds: 60 } },
        ],
      },
    }),
    [
      'spec.volumes[0].projected: Invalid value: "m": conflicting duplicate paths',
      'spec.volumes[0].projected.sources[2].serviceAccountToken.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
    ],
  ],
  [
    'of claims ask for something',
    withVolume({ ephemeral: { volumeClaimTemplate: { metadata: { name: 'x' }, spec: {} } } }),
    [
      'spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set',
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required',
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value',
    ],
  ],
  [
    'of drivers may not use names of the server',
    withVolume({ flexVolume: { driver: 'd', options: { 'a.k8s.io/x': 'y' } } }),
    [
      'spec.volumes[0].flexVolume.options[a.k8s.io/x]: Invalid value: "a.k8s.io/x": kubernetes.io and k8s.io namespaces are reserved',
    ],
  ],
]);

refuses('security', [
  [
    'has users in range',
    { securityContext: { runAsUser: -1, supplementalGroups: [1, 2147483648] } },
    [
      'spec.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      'spec.securityContext.supplementalGroups[1]: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive',
    ],
  ],
  [
    'has profiles of the node by path',
    { securityContext: { seccompProfile: { type: 'Localhost' } } },
    [
      'spec.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
    ],
  ],
  [
    'has parameters of the pod',
    {
      hostNetwork: true,
      securityContext: {
        sysctls: [
          { name: 'net.a', value: '1' },
          { name: 'A', value: '1' },
        ],
      },
    },
    [
      'spec.securityContext.sysctls[1].name: Invalid value: "A": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$'.replace(
        '\\\\',
        '\\',
      ),
    ],
  ],
  [
    'shares processes once',
    { hostPID: true, shareProcessNamespace: true },
    [
      'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
    ],
  ],
  [
    'is of the system',
    { os: { name: 'windows' }, hostPID: true, ...withContainer({ securityContext: { privileged: true } }) },
    [
      'spec.hostPID: Forbidden: cannot be set for a windows pod',
      'spec.containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod',
    ],
  ],
  [
    'of processes of the node is in its network',
    { securityContext: { windowsOptions: { hostProcess: true, runAsUserName: 'a\\b\\c' } } },
    [
      'spec.securityContext.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash',
      'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
    ],
  ],
]);

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

refuses('users of its own', [
  [
    'leave no part of the node',
    { hostUsers: false, hostPID: true },
    ['spec.HostPID: Forbidden: when `pod.Spec.HostUsers` is false'],
  ],
]);

refuses('placement', [
  [
    'by nodes has terms',
    { affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: [] } } } },
    [
      `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms: Required value: must have at least one node selector term`,
    ],
  ],
  [
    'by weight has one',
    { affinity: { nodeAffinity: { [preferred]: [{ weight: 101, preference: {} }] } } },
    [`spec.affinity.nodeAffinity.${preferred}[0].weight: Invalid value: 101: must be in the range 1-100`],
  ],
  [
    'by labels compares',
    {
      affinity: {
        nodeAffinity: {
          [required]: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1', '2'] }] },
              { matchFields: [{ key: 'spec.x', operator: 'In', values: ['a'] }] },
            ],
          },
        },
      },
    },
    [
      `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`,
      `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms[1].matchFields[0].key: Invalid value: "spec.x": not a valid field selector key`,
    ],
  ],
  [
    'by pods has a topology',
    { affinity: { podAntiAffinity: { [required]: [{ topologyKey: 'a b' }] } } },
    [
      `spec.affinity.podAntiAffinity.${required}[0].topologyKey: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    ],
  ],
  [
    'spreads once by topology and action',
    {
      topologySpreadConstraints: [
        { maxSkew: 0, topologyKey: 'z', whenUnsatisfiable: 'ScheduleAnyway', minDomains: 1 },
        { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'ScheduleAnyway', matchLabelKeys: ['a'] },
      ],
    },
    [
      'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
      'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{z, ScheduleAnyway}"',
      'spec.topologySpreadConstraints[0].minDomains: Invalid value: 1: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway',
      'spec.topologySpreadConstraints[1].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
    ],
  ],
  [
    'tolerates what can be',
    { tolerations: [{ operator: 'Equal' }, { key: 'a', operator: 'Exists', tolerationSeconds: 1, effect: 'Never' }] },
    [
      'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      'spec.tolerations[1].effect: Invalid value: "Never": effect must be \'NoExecute\' when `tolerationSeconds` is set',
      'spec.tolerations[1].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  ],
  [
    'waits for gates once',
    { schedulingGates: [{ name: 'a' }, { name: 'a' }] },
    ['spec.schedulingGates[1]: Duplicate value: "a"'],
  ],
]);

refuses('the rest', [
  ['restarts somehow', { restartPolicy: '' }, ['spec.restartPolicy: Required value']],
  [
    'looks up names somewhere',
    { dnsPolicy: 'None' },
    ['spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
  ],
  [
    'looks up names at addresses',
    { dnsConfig: { nameservers: ['a'], options: [{}] } },
    [
      'spec.dnsConfig.nameservers[0]: Invalid value: "a": must be valid IP address',
      'spec.dnsConfig.options[0]: Required value: must not be empty',
    ],
  ],
  [
    'ends in time',
    { activeDeadlineSeconds: 0 },
    ['spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive'],
  ],
  ['has a node with a name', { nodeName: 'A' }, [`spec.nodeName: Invalid value: "A": ${subdomain}`]],
  [
    'takes claims from one place',
    { resourceClaims: [{ name: 'a', source: {} }] },
    [
      'spec.resourceClaims[0].source: Invalid value: map[string]interface {}{}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
    ],
  ],
  [
    'preempts or not',
    { preemptionPolicy: 'Ask' },
    ['spec.preemptionPolicy: Unsupported value: "Ask": supported values: "PreemptLowerPriority", "Never"'],
  ],
]);

const refersTo = (valueFrom: JsonObject): JsonObject => withContainer({ env: [{ name: 'A', valueFrom }] });

describe('a reference of a variable', () => {
  it('may name the node like old clients', () =>
    expect(errorsOf(refersTo({ fieldRef: { apiVersion: 'v1', fieldPath: 'spec.host' } }))).toEqual([]));

  it('to an unknown resource does not depend on its divisor', () => {
    const problems = errorsOf(refersTo({ resourceFieldRef: { resource: 'spare.cpu', divisor: '3' } }));
    expect(problems.map((problem) => problem.split(': ')[0])).toEqual([
      'spec.containers[0].env[0].valueFrom.resourceFieldRef.resource',
    ]);
  });
});

it('files do not accept the older name of a field, which only variables do', () => {
  const items = [{ path: 'node', fieldRef: { apiVersion: 'v1', fieldPath: 'spec.host' } }];
  expect(errorsOf(withVolume({ downwardAPI: { items } }))[0]).toContain(
    'spec.volumes[0].downwardAPI.fieldRef.fieldPath: Unsupported value: "spec.nodeName"',
  );
});

it('each invalid address of a registry is an error', () => {
  const problem =
    'spec.volumes[0].quobyte.registry: Invalid value: "a,b:1,c": must be a host:port pair or multiple pairs separated by commas';
  expect(errorsOf(withVolume({ quobyte: { registry: 'a,b:1,c', volume: 'v' } }))).toEqual([problem, problem]);
});

describe('volumes of a pod with a name', () => {
  const template = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } };

  it('may not use the claim of another volume', () => {
    const volumes = [
      { name: 'v', ephemeral: { volumeClaimTemplate: template } },
      { name: 'w', persistentVolumeClaim: { claimName: 'p-v' } },
    ];
    expect(errorsOf({ volumes }, 'p')).toEqual([
      'spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "p-v": must not reference a PVC that gets created for an ephemeral volume',
    ]);
    expect(errorsOf({ volumes })).toEqual([]);
  });
});

describe('the errors of a spec', () => {
  it('are limited, however many there are', () => {
    const containers = Array.from({ length: 100_000 }, () => ({}));
    expect(
      validatePodSpec({ containers }, 'spec', { ...servingOf(kubernetesNaming), annotationsPath: '' }),
    ).toHaveLength(1000);
  });
});

refuses('what the reference tells in ways of its own:', [
  [
    'second sources of a volume',
    withVolume({ emptyDir: {}, cephfs: { monitors: ['m'] }, downwardAPI: {} }),
    [
      'spec.volumes[0].cephFS: Forbidden: may not specify more than 1 volume type',
      'spec.volumes[0].downwarAPI: Forbidden: may not specify more than 1 volume type',
    ],
  ],
  [
    'second sources in a projection, each of which is checked',
    withVolume({ projected: { sources: [{ secret: {}, configMap: {} }] } }),
    [
      'spec.volumes[0].projected.sources[0].secret.name: Required value',
      'spec.volumes[0].projected.sources[0].configMap.name: Required value',
      'spec.volumes[0].projected.sources[0]: Forbidden: may not specify more than 1 volume type',
    ],
  ],
  [
    'tokens without a path',
    withVolume({ projected: { sources: [{ serviceAccountToken: { expirationSeconds: 600 } }] } }),
    ['spec.volumes[0].projected.path: Required value'],
  ],
  [
    'secrets of a driver',
    withVolume({ csi: { driver: 'd', nodePublishSecretRef: { name: 'A_' } } }),
    [`spec.volumes[0].csi.name: Invalid value: "A_": ${subdomain}`],
  ],
  [
    'names of what variables come from',
    withContainer({
      env: [
        { name: 'A', valueFrom: { secretKeyRef: { key: 'k' } } },
        { name: 'B', valueFrom: { configMapKeyRef: { name: 'A_', key: 'k' } } },
      ],
      envFrom: [{ configMapRef: {} }, { secretRef: { name: 'A_' } }, { secretRef: { name: 'ab-' } }],
    }),
    [
      `spec.containers[0].env[0].valueFrom.secretKeyRef.name: Invalid value: "": ${subdomain}`,
      `spec.containers[0].env[1].valueFrom.configMapKeyRef.name: Invalid value: "A_": ${subdomain}`,
      'spec.containers[0].envFrom[0].configMapRef.name: Required value',
      `spec.containers[0].envFrom[1].secretRef.name: Invalid value: "A_": ${subdomain}`,
    ],
  ],
]);

describe('the errors of a spec under the latest release', () => {
  const sidecar = { name: 's', image: 'image:1', terminationMessagePolicy: 'File' };
  const probe = { tcpSocket: { port: 1 }, successThreshold: 1 };
  const rule = { action: 'Restart', exitCodes: { operator: 'In', values: [42] } };
  const amounts = (cpu: string): JsonObject => ({ requests: { cpu } });
  const device = { name: 'd', devicePath: '/d' };
  const claimed = { name: 'd', persistentVolumeClaim: { claimName: 'c' } };
  const spread = { maxSkew: 1, topologyKey: 'k', whenUnsatisfiable: 'DoNotSchedule' };

  it.each<[more: JsonObject, errors: readonly string[]]>([
    [{ resourceClaims: [{ name: 'a', resourceClaimTemplateName: 't' }] }, []],
    [{ resourceClaims: [{ name: 'a' }] }, ['spec.resourceClaims[0]']],
    [withContainer({ restartPolicy: 'Never', restartPolicyRules: [rule] }), []],
    [withContainer({ restartPolicyRules: [rule] }), ['spec.containers[0].restartPolicy']],
    [
      withContainer({ restartPolicy: 'Never', restartPolicyRules: [{ action: 'x' }] }),
      ['spec.containers[0].restartPolicyRules[0].action', 'spec.containers[0].restartPolicyRules[0].exitCodes'],
    ],
    [{ initContainers: [{ ...sidecar, restartPolicy: 'Always', livenessProbe: probe }] }, []],
    [{ initContainers: [{ ...sidecar, livenessProbe: probe }] }, ['spec.initContainers[0].livenessProbe']],
    [
      { initContainers: [{ ...sidecar, resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }] },
      ['spec.initContainers[0].resizePolicy[0].restartPolicy'],
    ],
    [withContainer({ env: [{ name: '1 a' }] }), []],
    [withContainer({ env: [{ name: 'a=b' }] }), ['spec.containers[0].env[0].name']],
    [
      withContainer({ env: [{ name: 'a', valueFrom: { fileKeyRef: { key: 'k', path: 'p', volumeName: 'v' } } }] }),
      ['spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName'],
    ],
    [
      withContainer({ lifecycle: { preStop: { sleep: { seconds: 31 } } } }),
      ['spec.containers[0].lifecycle.preStop.sleep'],
    ],
    [withContainer({ lifecycle: { stopSignal: 'SIGTERM' } }), ['spec.containers[0].lifecycle.stopSignal']],
    [withContainer({ securityContext: { procMount: 'Unmasked' } }), ['spec.containers[0].securityContext.procMount']],
    [
      { hostUsers: false, volumes: [claimed], ...withContainer({ volumeDevices: [device] }) },
      ['spec.containers[0].volumeDevices'],
    ],
    [
      withContainer({ securityContext: { appArmorProfile: { type: 'Localhost' } } }),
      ['spec.containers[0].securityContext.appArmorProfile.localhostProfile'],
    ],
    [{ securityContext: { seLinuxChangePolicy: 'MountOption' } }, ['spec.securityContext.seLinuxChangePolicy']],
    [
      { hostNetwork: true, securityContext: { sysctls: [{ name: 'net.ipv4.x', value: '1' }] } },
      ['spec.securityContext.sysctls[0].name'],
    ],
    [{ hostnameOverride: 'A', hostNetwork: true }, ['spec.hostnameOverride', 'spec.hostnameOverride']],
    [{ resources: amounts('2'), ...withContainer({ resources: amounts('1') }) }, []],
    [{ resources: amounts('1'), ...withContainer({ resources: amounts('2') }) }, ['spec.resources.requests[cpu]']],
    [{ resources: { requests: { 'ephemeral-storage': '1' } } }, ['spec.resources.requests[ephemeral-storage]']],
    [
      { hostAliases: [{ ip: '010.0.0.1', hostnames: ['A'] }] },
      ['spec.hostAliases[0].ip', 'spec.hostAliases[0].hostnames[0]'],
    ],
    [{ dnsConfig: { searches: ['.', 'a_b.'] } }, []],
    [
      { topologySpreadConstraints: [{ ...spread, matchLabelKeys: ['a'], labelSelector: { matchLabels: { a: 'b' } } }] },
      [],
    ],
    [{ tolerations: [{ operator: 'Exists', value: 'v' }] }, ['spec.tolerations[0].operator']],
  ])('%j', (more, errors) => {
    const spec = { terminationGracePeriodSeconds: 30, ...more };
    expect(errorsOf(spec, '', 'latest').map((text) => text.slice(0, text.indexOf(': ')))).toEqual(errors);
  });

  it('have the words of the release', () => {
    const { initContainers } = { initContainers: [{ ...sidecar, livenessProbe: probe }] };
    const problem = 'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers';
    expect(errorsOf({ initContainers })).toEqual([problem]);
    expect(errorsOf({ initContainers }, '', '1.28')).toEqual([`${problem} without restartPolicy=Always`]);
  });
});
