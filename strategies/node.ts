/** Node: taints, addresses and what cannot be changed, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, Strategy } from '../runtime/contract/index.js';
import { equal } from '../runtime/objects/equality.js';
import { duplicate, forbidden, invalidValue, notSupported, required } from '../runtime/objects/field-error.js';
import { isStringArray, objectAt, stringAt } from '../runtime/objects/guards.js';
import { parseIpRange } from '../runtime/objects/ip-range.js';
import { labelValue, qualifiedNameCheck } from '../runtime/objects/key-names.js';
import type { Naming } from '../runtime/objects/naming.js';
import { cidr } from '../runtime/objects/network-names.js';
import { byCodePoint } from '../runtime/objects/printing.js';
import { formatQuantity } from '../runtime/objects/quantity.js';
import { checkText, type FieldErrors, firstErrors, isTrueAt, objectsAt, textsAt } from './parts/field-checks.js';
import { quantitiesAt } from './parts/resources.js';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

export function defineNodeStrategy({ rename }: Naming): Strategy {
  const roleLabels = { prefix: rename('node-role.platform.io/'), single: rename('platform.io/role') };
  return {
    kind: 'Node',
    canonicalize: completeNode,
    validate: (node) => firstErrors(checkNode(node)),
    validateUpdate: (node, old) => firstErrors(checkChange(node, old)),
    selectableField: (node, path) =>
      path === 'spec.unschedulable' ? String(isTrueAt(specOf(node), 'unschedulable')) : undefined,
    cell: (node, column) => (column === 'Roles' ? roleText(node, roleLabels) : cells.get(column)?.(node)),
  };
}

const specOf = (node: ApiObject): JsonObject => objectAt(node, 'spec') ?? {};
const statusOf = (node: ApiObject): JsonObject => objectAt(node, 'status') ?? {};

/** Pods can have all that there is, where nothing else is said; the first block of addresses has a field of its own. */
function completeNode(node: ApiObject): void {
  const [spec, status] = [objectAt(node, 'spec'), objectAt(node, 'status')];
  if (status?.capacity !== undefined && status.allocatable === undefined) {
    status.allocatable = { ...objectAt(status, 'capacity') };
  }
  if (!spec) return;
  const single = stringAt(spec, 'podCIDR');
  const [first] = isStringArray(spec.podCIDRs) ? spec.podCIDRs : [];
  if (single !== '' && first !== single) spec.podCIDRs = [single];
  else if (first !== undefined) spec.podCIDR = first;
}

function* checkNode(node: ApiObject): FieldErrors {
  yield* checkTaints(node);
  for (const key of ['capacity', 'allocatable']) {
    for (const [name, amount] of quantitiesAt(statusOf(node), key)) {
      if (amount.digits >= 0n) continue;
      yield invalidValue(`status.${key}.${name}`, formatQuantity(amount), 'must be greater than or equal to 0');
    }
  }
  yield* checkBlocks(textsAt(specOf(node), 'podCIDRs'));
}

/** Mistakes in taints are told of the metadata, where taints once were. */
function* checkTaints(node: ApiObject): FieldErrors {
  const seen = new Set<string>();
  for (const [i, taint] of objectsAt(specOf(node), 'taints').entries()) {
    const path = `metadata.taints[${i}]`;
    const [key, value, effect] = ['key', 'value', 'effect'].map((field) => stringAt(taint, field));
    yield* checkText(`${path}.key`, key ?? '', qualifiedNameCheck);
    const problems = labelValue(value ?? '');
    if (problems.length > 0) yield invalidValue(`${path}.value`, value, problems.join(';'));
    if (effect === '') yield required(`${path}.effect`);
    else if (!effects.some((one) => one === effect)) yield notSupported(`${path}.effect`, effect, effects);
    const pair = `${effect} ${key}`;
    if (seen.has(pair)) yield repeatedTaint(path, taint);
    seen.add(pair);
  }
}

function repeatedTaint(path: string, taint: JsonObject): FieldError {
  const error = duplicate(path, taint);
  return { ...error, message: `${error.message}: taints must be unique by key and effect pair` };
}

function* checkBlocks(blocks: readonly string[]): FieldErrors {
  const path = 'spec.podCIDRs';
  for (const [i, block] of blocks.entries()) yield* checkText(`${path}[${i}]`, block, cidr);
  if (blocks.length < 2) return;
  const families = new Set(blocks.map((block) => parseIpRange(block)?.family));
  if (blocks.length > 2 || families.size < 2) {
    yield invalidValue(path, [...blocks], 'may specify no more than one CIDR for each IP family');
  }
  for (const [i, block] of blocks.entries()) {
    if (blocks.indexOf(block) < i) yield duplicate(`${path}[${i}]`, block);
  }
}

function* checkChange(node: ApiObject, old: ApiObject): FieldErrors {
  const [spec, before] = [specOf(node), specOf(old)];
  const addresses = objectsAt(statusOf(node), 'addresses');
  const seen = new Set<string>();
  for (const [i, address] of addresses.entries()) {
    const text = `${stringAt(address, 'type')} ${stringAt(address, 'address')}`;
    if (seen.has(text)) yield duplicate(`status.addresses[${i}]`, address);
    seen.add(text);
  }
  const blocks = textsAt(before, 'podCIDRs');
  if (blocks.length > 0 && !equal([...blocks], [...textsAt(spec, 'podCIDRs')])) {
    yield forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid');
  }
  const provider = stringAt(before, 'providerID');
  if (provider !== '' && provider !== stringAt(spec, 'providerID')) {
    yield forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid');
  }
  // A change is checked as a whole and as a change, and what is wrong with taints belongs to both.
  yield* checkTaints(node);
  if (stringAt(spec, 'externalID') !== stringAt(before, 'externalID')) {
    yield forbidden('spec.externalID', 'may not be updated');
  }
}

interface RoleLabels {
  /** Of labels whose key ends in a role. */
  readonly prefix: string;
  /** Key of a label whose value is a role. */
  readonly single: string;
}

function roleText(node: ApiObject, { prefix, single }: RoleLabels): string {
  const roles = Object.entries(node.metadata.labels ?? {}).map(([key, value]) =>
    key.startsWith(prefix) ? key.slice(prefix.length) : key === single ? value : '',
  );
  return [...new Set(roles.filter((role) => role !== ''))].sort(byCodePoint).join(',') || '<none>';
}

const ofSystem =
  (field: string) =>
  (node: ApiObject): string =>
    stringAt(objectAt(statusOf(node), 'nodeInfo'), field) || '<unknown>';

const addressOf =
  (type: string) =>
  (node: ApiObject): string => {
    const found = objectsAt(statusOf(node), 'addresses').find((address) => stringAt(address, 'type') === type);
    return found ? stringAt(found, 'address') : '<none>';
  };

const cells: ReadonlyMap<string, (node: ApiObject) => string> = new Map([
  ['Status', readyText],
  ['Internal-IP', addressOf('InternalIP')],
  ['External-IP', addressOf('ExternalIP')],
  ['OS-Image', ofSystem('osImage')],
  ['Kernel-Version', ofSystem('kernelVersion')],
  ['Container-Runtime', ofSystem('containerRuntimeVersion')],
]);

/** As in `Ready` and `NotReady,SchedulingDisabled`. */
function readyText(node: ApiObject): string {
  const ready = objectsAt(statusOf(node), 'conditions').findLast(
    (condition) => stringAt(condition, 'type') === 'Ready',
  );
  const text = !ready ? 'Unknown' : stringAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return isTrueAt(specOf(node), 'unschedulable') ? `${text},SchedulingDisabled` : text;
}
