/** What the status of a pod may say, and how it may change. */
import type { ApiObject, FieldError, JsonObject } from '../../../runtime/contract/index.js';
import { dns1123Subdomain } from '../../../runtime/objects/dns-names.js';
import { duplicate, forbidden, invalidValue, stringList } from '../../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../../runtime/objects/key-names.js';
import { ipAddress, isIPv4 } from '../../../runtime/objects/network-names.js';
import { checkText, type FieldErrors, firstErrors } from '../../shared/field-checks.js';
import { hasAt, integerAt, objectsAt } from '../../shared/reading.js';

/** The newer field for addresses holds the older one's too: the first address is the one of both. */
export function canonicalizeAddresses(status: JsonObject | undefined): void {
  if (!status) return;
  const single = stringAt(status, 'podIP');
  const [first] = objectsAt(status, 'podIPs');
  if (single === '') {
    if (first) status.podIP = stringAt(first, 'ip') || undefined;
  } else if (!first || stringAt(first, 'ip') !== single) status.podIPs = [{ ip: single }];
}

/** Errors of a written status, and of what it changes. */
export function podStatusErrors(pod: ApiObject, old: ApiObject): readonly FieldError[] {
  return firstErrors(checkStatus(pod, old));
}

function* checkStatus(pod: ApiObject, old: ApiObject): FieldErrors {
  const status = objectAt(pod, 'status') ?? {};
  const before = objectAt(old, 'status') ?? {};
  for (const [i, condition] of objectsAt(status, 'conditions').entries()) {
    yield* checkText(`status.conditions[${i}].Type`, stringAt(condition, 'type'), qualifiedNameCheck);
  }
  const nominated = stringAt(status, 'nominatedNodeName');
  if (nominated !== '' && nominated !== stringAt(before, 'nominatedNodeName')) {
    yield* checkText('status.nominatedNodeName', nominated, dns1123Subdomain);
  }
  const restartPolicy = stringAt(objectAt(old, 'spec'), 'restartPolicy');
  for (const list of ['containerStatuses', 'initContainerStatuses']) {
    yield* checkTransitions(status, before, list, restartPolicy);
  }
  yield* checkAddresses(status);
}

/** Containers that have ended for good do not begin again. */
function* checkTransitions(status: JsonObject, old: JsonObject, list: string, restartPolicy: string): FieldErrors {
  if (restartPolicy === 'Always') return;
  const running = new Set(
    objectsAt(status, list)
      .filter((container) => !ended(container))
      .map((container) => stringAt(container, 'name')),
  );
  for (const [i, container] of objectsAt(old, list).entries()) {
    const end = ended(container);
    const code = integerAt(end, 'exitCode') ?? 0;
    if (!end || (restartPolicy === 'OnFailure' && code !== 0 && code !== 0n)) continue;
    if (!running.has(stringAt(container, 'name'))) continue;
    yield forbidden(`status.${list}[${i}].state`, 'may not be transitioned to non-terminated state');
  }
}

const ended = (container: JsonObject): JsonObject | undefined => objectAt(objectAt(container, 'state'), 'terminated');

/** At most one address of each family. */
function* checkAddresses(status: JsonObject): FieldErrors {
  const path = 'status.podIPs';
  const addresses = objectsAt(status, 'podIPs').map((one) => stringAt(one, 'ip'));
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

/** The status that a pod begins with. */
export function newPodStatus(spec: JsonObject | undefined, qosClass: string): JsonObject {
  const status: JsonObject = { phase: 'Pending', qosClass };
  if (spec && hasAt(spec, 'schedulingGates')) {
    status.conditions = [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: null,
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ];
  }
  return status;
}
