/** The status of a pod, and how it may change. */
import type { Pod } from '../../generated/core/v1/pods/types.js';
import type { ContainerStatus, PodSpec, PodStatus } from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject, FieldError } from '../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, stringList } from '../../runtime/objects/field-error.js';
import { dns1123Subdomain, qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import { ipAddress, isIPv4 } from '../../runtime/objects/names/network-names.js';
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
export function podStatusErrors(pod: DraftObject<Pod>, old: DraftObject<Pod>): readonly FieldError[] {
  return firstErrors(checkStatus(pod, old));
}

const systemConditions: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized']);

function* checkStatus({ status = {} }: DraftObject<Pod>, old: DraftObject<Pod>): FieldErrors {
  const { conditions = [], nominatedNodeName: nominated } = status;
  for (const [i, { type = '' }] of conditions.entries()) {
    if (systemConditions.has(type)) continue;
    // As in the reference, the path is in the metadata.
    yield* checkText(`metadata.conditions[${i}].Type`, type, qualifiedNameCheck);
  }
  if (nominated && nominated !== old.status?.nominatedNodeName) {
    yield* checkText('status.nominatedNodeName', nominated, dns1123Subdomain);
  }
  for (const list of ['containerStatuses', 'initContainerStatuses'] as const) {
    yield* checkTransitions(status[list], old.status?.[list], `status.${list}`, old.spec?.restartPolicy);
  }
  // Ephemeral containers never restart.
  const { ephemeralContainerStatuses: ephemeral } = status;
  const before = old.status?.ephemeralContainerStatuses;
  yield* checkTransitions(ephemeral, before, 'status.ephemeralContainerStatuses', 'Never');
  yield* checkAddresses(status);
}

/** A container that has ended for good does not restart. */
function* checkTransitions(
  containers: readonly Draft<ContainerStatus>[] = [],
  old: readonly Draft<ContainerStatus>[] = [],
  path: string,
  restartPolicy: string | undefined,
): FieldErrors {
  if (restartPolicy === 'Always') return;
  const running = new Set(containers.filter(({ state }) => !state?.terminated).map(({ name = '' }) => name));
  for (const [i, { name = '', state }] of old.entries()) {
    const end = state?.terminated;
    if (!end || (restartPolicy === 'OnFailure' && end.exitCode)) continue;
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
