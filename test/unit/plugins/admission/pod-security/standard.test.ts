import { describe, expect, it } from 'vitest';
import { toJudged, type Violation } from '../../../../../plugins/admission/pod-security/control.js';
import {
  type Level,
  latest,
  newestVersion,
  type Version,
} from '../../../../../plugins/admission/pod-security/policies.js';
import {
  controls,
  defineJudge,
  reasonsText,
  violationsText,
} from '../../../../../plugins/admission/pod-security/standard.js';
import type { JsonObject } from '../../../../../runtime/contract/index.js';
import { kubernetesNaming, platformNaming } from '../../../../../runtime/objects/names/naming.js';
import { type ControlCase, container, controlCases, type JudgedParts, silent, strict } from './controls.js';

const judges = { kubernetes: defineJudge(kubernetesNaming), platform: defineJudge(platformNaming) };

const judged = (
  level: Level,
  version: Version,
  { annotations = {}, spec }: JudgedParts,
  naming: keyof typeof judges = 'kubernetes',
): readonly Violation[] => judges[naming]({ level, version }, toJudged({ annotations }, spec));

const escalates = 'allowPrivilegeEscalation != false';
const versions = [...Array.from({ length: newestVersion + 3 }, (_, minor) => minor), latest];
const levels = ['privileged', 'baseline', 'restricted'] as const;

/** The control in the restricted level with the rule of a control of the baseline level, and since when. */
const stricter: Readonly<Record<string, number>> = {
  hostPathVolumes: 0,
  seccompProfile_baseline: 19,
  capabilities_baseline: 22,
};

const isIn = ({ versions: [first, last = latest] }: ControlCase, version: Version): boolean =>
  version >= first && version <= last;

const named = controlCases.map((one) => {
  const [first, last] = one.versions;
  return [`${one.id}, ${one.level}, v1.${first} – ${last === undefined ? 'latest' : `v1.${last}`}`, one] as const;
});

describe.each(named)('the control %s', (_, one) => {
  const { id, level, passes, fails, reason, detail, shared } = one;
  const own = versions.filter((version) => isIn(one, version));

  it.each(levels)('is or is not in force at the level %s', (asked) => {
    const isAsked = asked === 'restricted' || asked === level || (shared === true && asked !== 'privileged');
    for (const version of own) {
      const replacedSince = asked === 'restricted' && !shared ? stricter[id] : undefined;
      const speaks = isAsked && (replacedSince === undefined || version < replacedSince);
      const found = judged(asked, version, fails).filter((violation) => violation.reason === reason);
      const exact = found.filter((violation) => violation.detail === detail);
      expect([version, exact]).toEqual([version, speaks ? [{ reason, detail }] : []]);
    }
  });

  it('accepts another pod', () => {
    for (const version of own) expect([version, judged(level, version, passes)]).toEqual([version, []]);
  });
});

describe('the controls', () => {
  it('all have cases', () => {
    expect([...new Set(controlCases.map(({ id }) => id))].sort()).toEqual(controls.map(({ id }) => id).sort());
    for (const { id, level, versions: own } of controls) {
      const [first] = own;
      const cases = controlCases.filter((one) => one.id === id);
      expect([id, level, Math.min(...cases.map((one) => one.versions[0]))]).toEqual([
        id,
        cases[0]?.level,
        first?.since,
      ]);
      expect(own.map(({ since }) => since)).toEqual([...own.map(({ since }) => since)].sort((a, b) => a - b));
      for (const { since } of own) expect([id, cases.some((one) => one.versions[0] === since)]).toEqual([id, true]);
    }
  });

  it('accept a pod that follows all of them', () => {
    for (const version of versions) for (const level of levels) expect(judged(level, version, strict)).toEqual([]);
  });

  it.each([
    [0, 'runAsNonRoot != true'],
    [8, 'allowPrivilegeEscalation != false, runAsNonRoot != true'],
    [19, 'allowPrivilegeEscalation != false, runAsNonRoot != true, seccompProfile'],
    [22, 'allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile'],
    [latest, 'allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile'],
  ])(
    'of version %s of the restricted level require settings of a pod, in the order of their names',
    (version, reasons) => expect(reasonsText(judged('restricted', version, silent))).toBe(reasons),
  );

  it('report a violation once if the restricted level is stricter', () => {
    const volume: JudgedParts = { spec: { ...strict.spec, volumes: [{ name: 'v', hostPath: {} }] } };
    expect(violationsText(judged('restricted', latest, volume))).toBe(
      'restricted volume types (volume "v" uses restricted volume type "hostPath")',
    );
  });

  const unconfined = { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' };
  const onWindows = { os: { name: 'windows' }, containers: [{ name: 'a' }], securityContext: { runAsNonRoot: true } };
  const threeMissing = 'allowPrivilegeEscalation != false, unrestricted capabilities, seccompProfile';
  const withContext = (securityContext: JsonObject): JudgedParts => ({ spec: { ...strict.spec, securityContext } });
  it.each<[version: number, about: string, pod: JudgedParts, before: string, since: string]>([
    [8, 'escalation', { spec: { containers: [container('a', { allowPrivilegeEscalation: true })] } }, '', escalates],
    [19, 'annotations of seccomp', { ...strict, annotations: unconfined }, 'seccompProfile', ''],
    [19, 'fields of seccomp', withContext({ seccompProfile: { type: 'Unconfined' } }), '', 'seccompProfile'],
    [
      22,
      'capabilities',
      { spec: { containers: [container('a', { capabilities: {} })] } },
      '',
      'unrestricted capabilities',
    ],
    [23, 'users', withContext({ runAsUser: 0 }), '', 'runAsUser=0'],
    [25, 'Windows', { spec: onWindows }, threeMissing, ''],
    [27, 'sysctls', withContext({ sysctls: [{ name: 'net.ipv4.ip_local_reserved_ports' }] }), 'forbidden sysctls', ''],
  ])('changed in v1.%i about %s', (version, _, pod, before, since) => {
    expect(reasonsText(judged('restricted', version - 1, pod))).toBe(before);
    expect(reasonsText(judged('restricted', version, pod))).toBe(since);
  });

  it('follow the served naming for annotations', () => {
    const annotations = { 'container.apparmor.security.beta.platform.io/a': 'unconfined' };
    expect(judged('baseline', latest, { ...strict, annotations })).toEqual([]);
    expect(reasonsText(judged('baseline', latest, { ...strict, annotations }, 'platform'))).toBe(
      'forbidden AppArmor profile',
    );
  });

  it('name AppArmor profiles in fields beside those in annotations', () => {
    const unconfined = { appArmorProfile: { type: 'Unconfined' } };
    const containers = [
      { name: 'a', securityContext: unconfined },
      { name: 'b', securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: 'p' } } },
    ];
    const annotations = { 'container.apparmor.security.beta.kubernetes.io/a': 'unconfined' };
    expect(violationsText(judged('baseline', latest, { spec: { containers, securityContext: unconfined } }))).toBe(
      'forbidden AppArmor profile (pod and container "a" must not set AppArmor profile type to "Unconfined")',
    );
    expect(violationsText(judged('baseline', latest, { spec: { containers }, annotations }))).toBe(
      'forbidden AppArmor profiles (container "a" and annotation must not set AppArmor profile type to ' +
        '"Unconfined", "container.apparmor.security.beta.kubernetes.io/a="unconfined"")',
    );
  });

  it('name one user of SELinux without types', () => {
    const spec = { containers: [], securityContext: { seLinuxOptions: { user: 'u' } } };
    expect(violationsText(judged('baseline', latest, { spec }))).toBe(
      'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: user may not be set)',
    );
  });
});
