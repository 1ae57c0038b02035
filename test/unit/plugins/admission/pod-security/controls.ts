/**
 * All controls of pod security as data. Each has its versions, a pod that it accepts, and a pod that it refuses with
 * the message. A control without a last version is in force up to the latest.
 */
import type { JsonObject } from '../../../../../runtime/contract/index.js';

export interface ControlCase {
  readonly id: string;
  readonly level: 'baseline' | 'restricted';
  /** Minor versions, both included. */
  readonly versions: readonly [first: number, last?: number];
  readonly passes: JudgedParts;
  readonly fails: JudgedParts;
  readonly reason: string;
  readonly detail: string;
  /** Whether the controls of both levels have this rule. */
  readonly shared?: true;
}

export interface JudgedParts {
  readonly annotations?: JsonObject;
  readonly spec: JsonObject;
}

/** Makes a container that fulfils all controls, unless the arguments break them. */
export const container = (name: string, securityContext: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  name,
  image: 'i',
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
    ...securityContext,
  },
  ...more,
});

const secure = (securityContext: JsonObject = {}): JudgedParts => ({
  spec: { containers: [container('a', securityContext)] },
});

/** Makes a pod with these fields in its spec. */
const podWith = (more: JsonObject, annotations?: JsonObject): JudgedParts => ({
  spec: { containers: [container('a')], ...more },
  ...(annotations ? { annotations } : {}),
});

/** Makes a pod of an init container, two containers and an ephemeral one. All but one container have these settings. */
const all = (securityContext: JsonObject, ofPod: JsonObject = {}, more: JsonObject = {}): JudgedParts => ({
  spec: {
    initContainers: [container('i', securityContext, more)],
    containers: [container('a', securityContext, more), container('b')],
    ephemeralContainers: [container('e', securityContext, more)],
    securityContext: ofPod,
  },
});

const windows = { os: { name: 'windows' } };
const plain = { name: 'a', image: 'i' };
const appArmor = 'container.apparmor.security.beta.kubernetes.io/';
const seccomp = 'container.seccomp.security.alpha.kubernetes.io/';
const ofPod = 'seccomp.security.alpha.kubernetes.io/pod';
const escalation = 'must set securityContext.allowPrivilegeEscalation=false';
const typed = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
const untyped = 'must not set securityContext.seccompProfile.type to';

export const controlCases: readonly ControlCase[] = [
  {
    id: 'hostNamespaces',
    level: 'baseline',
    versions: [0],
    passes: podWith({ hostNetwork: false }),
    fails: podWith({ hostNetwork: true, hostPID: true, hostIPC: true }),
    reason: 'host namespaces',
    detail: 'hostNetwork=true, hostPID=true, hostIPC=true',
  },
  {
    id: 'hostPathVolumes',
    level: 'baseline',
    versions: [0],
    passes: podWith({ volumes: [{ name: 'v', emptyDir: {} }] }),
    fails: podWith({
      volumes: [
        { name: 'w', hostPath: { path: '/' } },
        { name: 'v', hostPath: { path: '/' } },
      ],
    }),
    reason: 'hostPath volumes',
    detail: 'volumes "w", "v"',
  },
  {
    id: 'hostPorts',
    level: 'baseline',
    versions: [0],
    passes: all({}, {}, { ports: [{ containerPort: 80, hostPort: 0 }, { containerPort: 81 }] }),
    fails: all(
      {},
      {},
      {
        ports: [
          { containerPort: 80, hostPort: 9 },
          { containerPort: 81, hostPort: 80 },
        ],
      },
    ),
    reason: 'hostPort',
    detail: 'containers "i", "a", "e" use hostPorts 80, 9',
  },
  {
    id: 'windowsHostProcess',
    level: 'baseline',
    versions: [0],
    passes: all({ windowsOptions: { hostProcess: false } }, { windowsOptions: {} }),
    fails: all({ windowsOptions: { hostProcess: true } }, { windowsOptions: { hostProcess: true } }),
    reason: 'hostProcess',
    detail: 'pod and containers "i", "a", "e" must not set securityContext.windowsOptions.hostProcess=true',
  },
  {
    id: 'privileged',
    level: 'baseline',
    versions: [0],
    passes: secure({ privileged: false }),
    fails: all({ privileged: true }),
    reason: 'privileged',
    detail: 'containers "i", "a", "e" must not set securityContext.privileged=true',
  },
  {
    id: 'capabilities_baseline',
    level: 'baseline',
    versions: [0],
    passes: secure({ capabilities: { add: ['AUDIT_WRITE', 'CHOWN', 'KILL', 'SYS_CHROOT'], drop: ['ALL'] } }),
    fails: all({ capabilities: { add: ['SYS_TIME', 'NET_RAW', 'CHOWN'] } }),
    reason: 'non-default capabilities',
    detail: 'containers "i", "a", "e" must not include "NET_RAW", "SYS_TIME" in securityContext.capabilities.add',
  },
  {
    id: 'appArmorProfile',
    level: 'baseline',
    versions: [0],
    passes: podWith({}, { [`${appArmor}a`]: 'runtime/default', [`${appArmor}b`]: 'localhost/x', [`${appArmor}c`]: '' }),
    fails: podWith({}, { [`${appArmor}b`]: 'unconfined', [`${appArmor}a`]: 'local' }),
    reason: 'forbidden AppArmor profiles',
    detail: `${appArmor}a="local", ${appArmor}b="unconfined"`,
  },
  {
    id: 'seLinuxOptions',
    level: 'baseline',
    versions: [0],
    passes: all(
      { seLinuxOptions: { type: 'container_t', level: 's0' } },
      { seLinuxOptions: { type: 'container_kvm_t' } },
    ),
    fails: all({ seLinuxOptions: { type: 'b_t', user: 'u' } }, { seLinuxOptions: { type: 'a_t', role: 'r' } }),
    reason: 'seLinuxOptions',
    detail:
      'pod and containers "i", "a", "e" set forbidden securityContext.seLinuxOptions: types "a_t", "b_t"; ' +
      'user may not be set; role may not be set',
  },
  {
    id: 'procMount',
    level: 'baseline',
    versions: [0],
    passes: all({ procMount: 'Default' }),
    fails: all({ procMount: 'Unmasked' }),
    reason: 'procMount',
    detail: 'containers "i", "a", "e" must not set securityContext.procMount to "Unmasked"',
  },
  {
    id: 'seccompProfile_baseline',
    level: 'baseline',
    versions: [0, 18],
    passes: podWith({}, { [ofPod]: 'docker/default', [`${seccomp}a`]: 'localhost/x', [`${seccomp}z`]: 'unconfined' }),
    fails: podWith({}, { [ofPod]: 'unconfined', [`${seccomp}a`]: 'unconfined' }),
    reason: 'seccompProfile',
    detail: `forbidden annotations ${seccomp}a="unconfined", ${ofPod}="unconfined"`,
  },
  {
    id: 'seccompProfile_baseline',
    level: 'baseline',
    versions: [19],
    passes: all({ seccompProfile: { type: 'Localhost' } }, { seccompProfile: { type: 'RuntimeDefault' } }),
    fails: all({ seccompProfile: { type: 'Unconfined' } }, { seccompProfile: { type: 'Unconfined' } }),
    reason: 'seccompProfile',
    detail: `pod and containers "i", "a", "e" ${untyped} "Unconfined"`,
    shared: true,
  },
  {
    id: 'sysctls',
    level: 'baseline',
    versions: [0, 26],
    passes: podWith({ securityContext: { sysctls: [{ name: 'kernel.shm_rmid_forced', value: '1' }] } }),
    fails: podWith({
      securityContext: {
        sysctls: ['kernel.msgmax', 'net.ipv4.tcp_syncookies', 'net.ipv4.ip_local_reserved_ports'].map((name) => ({
          name,
        })),
      },
    }),
    reason: 'forbidden sysctls',
    detail: 'kernel.msgmax, net.ipv4.ip_local_reserved_ports',
  },
  {
    id: 'sysctls',
    level: 'baseline',
    versions: [27],
    passes: podWith({ securityContext: { sysctls: [{ name: 'net.ipv4.ip_local_reserved_ports', value: '1' }] } }),
    fails: podWith({ securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }),
    reason: 'forbidden sysctls',
    detail: 'kernel.msgmax',
  },
  {
    id: 'restrictedVolumes',
    level: 'restricted',
    versions: [0],
    passes: podWith({
      volumes: [
        { name: 'a', configMap: {} },
        { name: 'b', csi: {} },
        { name: 'c', downwardAPI: {} },
        { name: 'd', emptyDir: {} },
        { name: 'e', ephemeral: {} },
        { name: 'f', persistentVolumeClaim: {} },
        { name: 'g', projected: {} },
        { name: 'h', secret: {} },
      ],
    }),
    fails: podWith({
      volumes: [
        { name: 'a', nfs: {} },
        { name: 'b', hostPath: {} },
        { name: 'c', nfs: {} },
      ],
    }),
    reason: 'restricted volume types',
    detail: 'volumes "a", "b", "c" use restricted volume types "hostPath", "nfs"',
  },
  {
    id: 'runAsNonRoot',
    level: 'restricted',
    versions: [0],
    passes: podWith({ containers: [container('a', { runAsNonRoot: null })], securityContext: { runAsNonRoot: true } }),
    fails: all({ runAsNonRoot: null }, {}),
    reason: 'runAsNonRoot != true',
    detail: 'pod or containers "i", "a", "e" must set securityContext.runAsNonRoot=true',
  },
  {
    id: 'runAsNonRoot',
    level: 'restricted',
    versions: [0],
    passes: podWith({ securityContext: { runAsNonRoot: true } }),
    fails: all({ runAsNonRoot: false }, { runAsNonRoot: false }),
    reason: 'runAsNonRoot != true',
    detail: 'pod and containers "i", "a", "e" must not set securityContext.runAsNonRoot=false',
  },
  {
    id: 'allowPrivilegeEscalation',
    level: 'restricted',
    versions: [8, 24],
    passes: secure(),
    fails: podWith({ ...windows, containers: [container('a', { allowPrivilegeEscalation: true }), container('b')] }),
    reason: 'allowPrivilegeEscalation != false',
    detail: `container "a" ${escalation}`,
  },
  {
    id: 'allowPrivilegeEscalation',
    level: 'restricted',
    versions: [25],
    passes: podWith({ ...windows, containers: [container('a', { allowPrivilegeEscalation: null })] }),
    fails: all({ allowPrivilegeEscalation: null }),
    reason: 'allowPrivilegeEscalation != false',
    detail: `containers "i", "a", "e" ${escalation}`,
  },
  {
    id: 'seccompProfile_restricted',
    level: 'restricted',
    versions: [19, 24],
    passes: secure(),
    fails: podWith({ ...windows, containers: [container('a', { seccompProfile: null })] }),
    reason: 'seccompProfile',
    detail: `pod or container "a" ${typed}`,
  },
  {
    id: 'seccompProfile_restricted',
    level: 'restricted',
    versions: [25],
    passes: podWith({ ...windows, containers: [container('a', { seccompProfile: null })] }),
    fails: all({ seccompProfile: null }),
    reason: 'seccompProfile',
    detail: `pod or containers "i", "a", "e" ${typed}`,
  },
  {
    id: 'seccompProfile_restricted',
    level: 'restricted',
    versions: [19],
    passes: all({ seccompProfile: null }, { seccompProfile: { type: 'Localhost' } }),
    fails: all({}, { seccompProfile: { type: 'Unconfined' } }),
    reason: 'seccompProfile',
    detail: `pod ${untyped} "Unconfined"`,
    shared: true,
  },
  {
    id: 'capabilities_restricted',
    level: 'restricted',
    versions: [22, 24],
    passes: secure({ capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } }),
    fails: podWith({ ...windows, containers: [container('a', { capabilities: null })] }),
    reason: 'unrestricted capabilities',
    detail: 'container "a" must set securityContext.capabilities.drop=["ALL"]',
  },
  {
    id: 'capabilities_restricted',
    level: 'restricted',
    versions: [25],
    passes: podWith({ ...windows, containers: [container('a', { capabilities: null })] }),
    fails: all({ capabilities: { drop: ['KILL'], add: ['KILL'] } }),
    reason: 'unrestricted capabilities',
    detail:
      'containers "i", "a", "e" must set securityContext.capabilities.drop=["ALL"]; ' +
      'containers "i", "a", "e" must not include "KILL" in securityContext.capabilities.add',
  },
  {
    id: 'runAsUser',
    level: 'restricted',
    versions: [23],
    passes: all({ runAsUser: 1000 }, { runAsUser: 1 }),
    fails: all({ runAsUser: 0 }, { runAsUser: 0 }),
    reason: 'runAsUser=0',
    detail: 'pod and containers "i", "a", "e" must not set runAsUser=0',
  },
];

/** A pod that breaks no control of any version, and one without any settings. */
export const strict: JudgedParts = secure();
export const silent: JudgedParts = { spec: { containers: [plain] } };
