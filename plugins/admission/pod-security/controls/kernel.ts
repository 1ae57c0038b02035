/** Controls of what the kernel keeps containers from: AppArmor, SELinux, the masks of /proc, sysctls. */
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { objectAt, objectsAt, stringAt } from '../../../../runtime/objects/guards.js';
import { quote } from '../../../../runtime/objects/printing.js';
import type { Check, Control } from '../control.js';
import { containersText, counted, distinct, quoted, settersText } from '../words.js';

const isAllowedAppArmor = (profile: string): boolean =>
  profile === '' || profile === 'runtime/default' || profile.startsWith('localhost/');

const checkAppArmor: Check = ({ annotations }, { rename }) => {
  const prefix = rename('container.apparmor.security.beta.platform.io/');
  const forbidden = [...annotations].filter(([key, value]) => key.startsWith(prefix) && !isAllowedAppArmor(value));
  if (forbidden.length === 0) return undefined;
  return {
    reason: counted('forbidden AppArmor profile', 'forbidden AppArmor profiles', forbidden.length),
    detail: distinct(forbidden.map(([key, value]) => `${key}=${quote(value)}`)).join(', '),
  };
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

/** Types are those of containers; users and roles are not for pods to choose. */
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

/** Sysctls that are the pod's own, and that no other pod feels. */
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
