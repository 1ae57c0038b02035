/** The status of a pod, and how it may change. */
import type { Pod } from '../../generated/core/v1/pods/types.js';
import type { Container, ContainerStatus, PodSpec, PodStatus } from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject, FieldError } from '../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, stringList } from '../../runtime/objects/field-error.js';
import { dns1123Subdomain, qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import { ipAddress, isIPv4 } from '../../runtime/objects/names/network-names.js';
import type { Release } from '../../runtime/objects/release.js';
import { checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';

/** Makes the single address and the first of the list equal, in place; either may be missing. */
export function canonicalizeAddresses(status: Draft<PodStatus> | undefined): void {
  if (!status) return;
  const { podIP: single, podIPs: [first] = [] } = status;
  if (!single) {
    if (first) status.podIP = first.ip || undefined;
  } else if (first?.ip !== single) status.podIPs = [{ ip: single }];
}

/** Checks a written status and its changes. */
export function podStatusErrors(pod: DraftObject<Pod>, old: DraftObject<Pod>, release: Release): readonly FieldError[] {
  return firstErrors(checkStatus(pod, old, release));
}

const systemConditions: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized']);

function* checkStatus({ status = {} }: DraftObject<Pod>, old: DraftObject<Pod>, release: Release): FieldErrors {
  const { conditions = [], nominatedNodeName: nominated } = status;
  for (const [i, { type = '' }] of conditions.entries()) {
    if (systemConditions.has(type)) continue;
    // As in the reference, the path is in the metadata.
    yield* checkText(`metadata.conditions[${i}].Type`, type, qualifiedNameCheck);
  }
  if (nominated && nominated !== old.status?.nominatedNodeName) {
    yield* checkText('status.nominatedNodeName', nominated, dns1123Subdomain);
  }
  yield* checkLaterFields(status);
  if (release.does('podsResize') && status.qosClass !== old.status?.qosClass) {
    yield invalidValue('status.qosClass', status.qosClass, 'field is immutable');
  }
  for (const [list, containers] of [
    ['containerStatuses', old.spec?.containers],
    ['initContainerStatuses', old.spec?.initContainers],
  ] as const) {
    const policyOf = restartPolicies(containers ?? [], old.spec?.restartPolicy, release);
    yield* checkTransitions(status[list], old.status?.[list], `status.${list}`, policyOf);
  }
  // Ephemeral containers never restart.
  const { ephemeralContainerStatuses: ephemeral } = status;
  const before = old.status?.ephemeralContainerStatuses;
  yield* checkTransitions(ephemeral, before, 'status.ephemeralContainerStatuses', () => 'Never');
  yield* checkAddresses(status);
}

/** Checks what came after 1.27: the observed generation, and all addresses of the node. */
function* checkLaterFields({ observedGeneration, hostIP = '', hostIPs = [] }: Draft<PodStatus>): FieldErrors {
  if (observedGeneration !== undefined && observedGeneration < 0) {
    yield invalidValue('status.observedGeneration', observedGeneration, 'must be a non-negative integer');
  }
  const [first] = hostIPs;
  if (!first) return;
  if (first.ip !== hostIP) yield invalidValue('status.hostIPs[0].ip', first.ip, 'must be equal to `hostIP`');
  for (const [i, { ip = '' }] of hostIPs.entries()) yield* checkText(`status.hostIPs[${i}]`, ip, ipAddress);
}

/** Returns the restart policy by container; by default, the pod decides. Rules may restart any container. */
function restartPolicies(
  containers: readonly Draft<Container>[],
  ofPod: string | undefined,
  release: Release,
): (name: string) => string | undefined {
  const own = new Map(containers.map((one) => [one.name ?? '', one] as const));
  return (name) => {
    const { restartPolicy, restartPolicyRules: rules = [] } = own.get(name) ?? {};
    if (rules.length > 0 && release.does('containersRestartAlone')) return 'Always';
    return restartPolicy ?? ofPod;
  };
}

/** A container that has ended for good does not restart. */
function* checkTransitions(
  containers: readonly Draft<ContainerStatus>[] = [],
  old: readonly Draft<ContainerStatus>[] = [],
  path: string,
  policyOf: (name: string) => string | undefined,
): FieldErrors {
  const running = new Set(containers.filter(({ state }) => !state?.terminated).map(({ name = '' }) => name));
  for (const [i, { name = '', state }] of old.entries()) {
    const end = state?.terminated;
    const restartPolicy = policyOf(name);
    if (!end || restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && end.exitCode)) continue;
    if (running.has(name)) yield forbidden(`${path}[${i}].state`, 'may not be transitioned to non-terminated state');
  }
}

/** A pod has at most one address of each family. */
function* checkAddresses({ podIPs = [] }: Draft<PodStatus>): FieldErrors {
  const path = 'status.podIPs';
  const addresses = podIPs.map(({ ip = '' }) => ip);
  for (const [i, address] of addresses.entries()) yield* checkText(`${path}[${i}]`, address, ipAddress);
  if (addresses.length < 2) return;
  const families = new Set(addresses.map(isIPv4));
  if (families.size < 2 || addresses.length > 2) {
    yield invalidValue(path, stringList(addresses), 'may specify no more than one IP for each IP family');
  }
  const seen = new Set<string>();
  for (const [i, address] of addresses.entries()) {
    if (seen.has(address)) yield duplicate(`${path}[${i}]`, address);
    seen.add(address);
  }
}

/** Returns the status of a new pod; `gatedSince` is the time that a pod with gates waits from. */
export function newPodStatus(
  spec: Draft<PodSpec> | undefined,
  qosClass: string,
  gatedSince: string | null,
): Draft<PodStatus> {
  const status: Draft<PodStatus> = { phase: 'Pending', qosClass };
  if (spec?.schedulingGates) {
    status.conditions = [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: gatedSince,
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ];
  }
  return status;
}
