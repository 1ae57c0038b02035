/** Controls of capabilities, seccomp profiles and kernel settings. */
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { isString, isStringArray, objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';
import { quote } from '../../../runtime/objects/printing.js';
import {
  type Check,
  type Control,
  containersText,
  counted,
  distinct,
  type JudgedContainer,
  type JudgedPod,
  quoted,
  settersText,
  unlessOnWindows,
  type Violation,
} from './control.js';

// Seccomp profiles: they must not be switched off; at the restricted level, every container must have one.

const reason = 'seccompProfile';

const isAllowedText = (value: string): boolean =>
  value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');

/** Checks annotations, which held profiles before there were fields. */
const checkAnnotations: Check = ({ annotations, containers }, { rename }) => {
  const ofContainer = rename('container.seccomp.security.alpha.platform.io/');
  const keys = [
    rename('seccomp.security.alpha.platform.io/pod'),
    ...containers.map(({ name }) => `${ofContainer}${name}`),
  ];
  const forbidden = keys.flatMap((key) => {
    const value = annotations.get(key);
    return value === undefined || isAllowedText(value) ? [] : [`${key}=${quote(value)}`];
  });
  if (forbidden.length === 0) return undefined;
  const listed = distinct(forbidden);
  const noun = counted('annotation', 'annotations', listed.length);
  return { reason, detail: `forbidden ${noun} ${listed.join(', ')}` };
};

/** Returns the type of a profile, or `undefined` without a profile. */
function profileOf(securityContext: JsonObject | undefined): string | undefined {
  const profile = objectAt(securityContext, 'seccompProfile');
  return profile && stringAt(profile, 'type');
}

const isAllowed = (type: string | undefined): boolean => type === 'RuntimeDefault' || type === 'Localhost';

const isForbidden = (type: string | undefined): type is string => type !== undefined && !isAllowed(type);

function forbiddenProfiles({ securityContext, containers }: JudgedPod): Violation | undefined {
  const setting = containers.filter((container) => isForbidden(profileOf(container.securityContext)));
  const setters = settersText(isForbidden(profileOf(securityContext)), setting);
  if (setters === '') return undefined;
  const all = [securityContext, ...containers.map((container) => container.securityContext)].map(profileOf);
  const types = quoted(distinct(all.filter(isForbidden)));
  return { reason, detail: `${setters} must not set securityContext.seccompProfile.type to ${types}` };
}

/** Checks that each container has a profile, its own or the pod's. */
const checkSet: Check = (pod) => {
  const forbidden = forbiddenProfiles(pod);
  if (forbidden || isAllowed(profileOf(pod.securityContext))) return forbidden;
  const without = pod.containers.filter((container) => profileOf(container.securityContext) === undefined);
  if (without.length === 0) return undefined;
  const types = '"RuntimeDefault" or "Localhost"';
  return {
    reason,
    detail: `pod or ${containersText(without)} must set securityContext.seccompProfile.type to ${types}`,
  };
};

export const seccompControls: readonly Control[] = [
  {
    id: 'seccompProfile_baseline',
    level: 'baseline',
    versions: [
      { since: 0, check: checkAnnotations },
      { since: 19, check: forbiddenProfiles },
    ],
  },
  {
    id: 'seccompProfile_restricted',
    level: 'restricted',
    replaces: 'seccompProfile_baseline',
    versions: [
      { since: 19, check: checkSet },
      { since: 25, check: unlessOnWindows(checkSet) },
    ],
  },
];

/** The default capabilities of a container, without NET_RAW. */
const usual = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

const texts = (value: JsonValue | undefined): readonly string[] => (isStringArray(value) ? value : []);

const capabilitiesOf = (container: JudgedContainer, change: 'add' | 'drop'): readonly string[] =>
  texts(objectAt(container.securityContext, 'capabilities')?.[change]);

/** Returns the forbidden capabilities that containers add, as a text; `undefined` if there are none. */
function addedText(
  containers: readonly JudgedContainer[],
  isAllowed: (capability: string) => boolean,
): string | undefined {
  const forbiddenOf = (container: JudgedContainer): readonly string[] =>
    capabilitiesOf(container, 'add').filter((capability) => !isAllowed(capability));
  const adding = containers.filter((container) => forbiddenOf(container).length > 0);
  if (adding.length === 0) return undefined;
  const forbidden = quoted(distinct(adding.flatMap(forbiddenOf)));
  return `${containersText(adding)} must not include ${forbidden} in securityContext.capabilities.add`;
}

const checkUsual: Check = ({ containers }) => {
  const detail = addedText(containers, (capability) => usual.has(capability));
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
};

/** Checks that containers drop all capabilities and add back at most the one for low ports. */
const checkDropped: Check = ({ containers }) => {
  const keeping = containers.filter((container) => !capabilitiesOf(container, 'drop').includes('ALL'));
  const added = addedText(containers, (capability) => capability === 'NET_BIND_SERVICE');
  if (keeping.length === 0 && added === undefined) return undefined;
  const kept = `${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`;
  const details = [...(keeping.length > 0 ? [kept] : []), ...(added === undefined ? [] : [added])];
  return { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

export const capabilityControls: readonly Control[] = [
  { id: 'capabilities_baseline', level: 'baseline', versions: [{ since: 0, check: checkUsual }] },
  {
    id: 'capabilities_restricted',
    level: 'restricted',
    replaces: 'capabilities_baseline',
    versions: [
      { since: 22, check: checkDropped },
      { since: 25, check: unlessOnWindows(checkDropped) },
    ],
  },
];

const isAllowedAnnotation = (profile: string): boolean =>
  profile === '' || profile === 'runtime/default' || profile.startsWith('localhost/');

/** Returns the forbidden type of an AppArmor profile, or `undefined` if the profile is absent or allowed. */
function forbiddenAppArmor(securityContext: JsonObject | undefined): string | undefined {
  const profile = objectAt(securityContext, 'appArmorProfile');
  const type = profile && stringAt(profile, 'type');
  return type === 'RuntimeDefault' || type === 'Localhost' ? undefined : type;
}

/**
 * Checks AppArmor profiles in fields and annotations. In releases with the fields, a forbidden annotation of a pod is
 * also in a field. Without fields, the violation is in the words of earlier releases.
 */
const checkAppArmor: Check = ({ annotations, securityContext, containers }, { rename }) => {
  const prefix = rename('container.apparmor.security.beta.platform.io/');
  const marked = [...annotations].filter(([key, value]) => key.startsWith(prefix) && !isAllowedAnnotation(value));
  const texts = distinct(marked.map(([key, value]) => `${key}=${quote(value)}`));
  const ofPod = forbiddenAppArmor(securityContext);
  const setting = containers.filter((container) => forbiddenAppArmor(container.securityContext) !== undefined);
  const types = [ofPod, ...setting.map((container) => forbiddenAppArmor(container.securityContext))].filter(isString);
  const values = [...distinct(types), ...texts];
  if (values.length === 0) return undefined;
  const reason = counted('forbidden AppArmor profile', 'forbidden AppArmor profiles', values.length);
  if (types.length === 0) return { reason, detail: texts.join(', ') };
  const noun = texts.length > 0 ? [counted('annotation', 'annotations', texts.length)] : [];
  const setters = [settersText(ofPod !== undefined, setting), ...noun].join(' and ');
  return { reason, detail: `${setters} must not set AppArmor profile type to ${quoted(values)}` };
};

const seLinuxTypes = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t']);

const seLinuxOf = (securityContext: JsonObject | undefined) => {
  const options = objectAt(securityContext, 'seLinuxOptions');
  const [type, user, role] = ['type', 'user', 'role'].map((field) => stringAt(options, field));
  return { type: type ?? '', hasUser: user !== '', hasRole: role !== '' };
};

const isForbiddenSeLinux = (securityContext: JsonObject | undefined): boolean => {
  const { type, hasUser, hasRole } = seLinuxOf(securityContext);
  return !seLinuxTypes.has(type) || hasUser || hasRole;
};

/** Checks SELinux options: types must be meant for containers; pods must not choose users and roles. */
const checkSeLinux: Check = ({ securityContext, containers }) => {
  const setting = containers.filter((container) => isForbiddenSeLinux(container.securityContext));
  const setters = settersText(isForbiddenSeLinux(securityContext), setting);
  if (setters === '') return undefined;
  const all = [securityContext, ...setting.map((container) => container.securityContext)].map(seLinuxOf);
  const types = distinct(all.map(({ type }) => type).filter((type) => !seLinuxTypes.has(type)));
  const wrong = [
    ...(types.length > 0 ? [`${counted('type', 'types', types.length)} ${quoted(types)}`] : []),
    ...(all.some(({ hasUser }) => hasUser) ? ['user may not be set'] : []),
    ...(all.some(({ hasRole }) => hasRole) ? ['role may not be set'] : []),
  ];
  const detail = `${setters} set forbidden securityContext.seLinuxOptions: ${wrong.join('; ')}`;
  return { reason: 'seLinuxOptions', detail };
};

const procMountOf = (securityContext: JsonObject | undefined): string => stringAt(securityContext, 'procMount');

const checkProcMount: Check = ({ containers }) => {
  const setting = containers.filter(({ securityContext }) => !['', 'Default'].includes(procMountOf(securityContext)));
  if (setting.length === 0) return undefined;
  const types = quoted(distinct(setting.map(({ securityContext }) => procMountOf(securityContext))));
  return {
    reason: 'procMount',
    detail: `${containersText(setting)} must not set securityContext.procMount to ${types}`,
  };
};

const safeSysctls = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ping_group_range',
  'net.ipv4.tcp_syncookies',
];

/** Checks sysctls: a pod may only set sysctls that affect no other pod. */
const checkSysctls =
  (...safe: readonly string[]): Check =>
  ({ securityContext }) => {
    const names = objectsAt(securityContext, 'sysctls').map((sysctl) => stringAt(sysctl, 'name'));
    const forbidden = names.filter((name) => !safe.includes(name));
    return forbidden.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: forbidden.join(', ') };
  };

export const kernelControls: readonly Control[] = [
  { id: 'appArmorProfile', level: 'baseline', versions: [{ since: 0, check: checkAppArmor }] },
  { id: 'seLinuxOptions', level: 'baseline', versions: [{ since: 0, check: checkSeLinux }] },
  { id: 'procMount', level: 'baseline', versions: [{ since: 0, check: checkProcMount }] },
  {
    id: 'sysctls',
    level: 'baseline',
    versions: [
      { since: 0, check: checkSysctls(...safeSysctls) },
      { since: 27, check: checkSysctls(...safeSysctls, 'net.ipv4.ip_local_reserved_ports') },
    ],
  },
];
