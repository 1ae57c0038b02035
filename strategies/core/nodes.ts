/** Node: its rules, what may change once it is there, and how tables show it. */
import type { ApiObject, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { duplicate, forbidden, Verbatim } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { hasAt, isTrueAt, objectsAt, textsAt } from '../shared/reading.js';
import { amountErrors, amountsAt, roundUpAmounts } from '../shared/resource-list.js';
import { resourceNamesOf } from '../shared/resource-names.js';
import { checkPodBlocks, settlePodBlocks } from './nodes/addresses.js';
import { checkNodeAnnotations } from './nodes/annotations.js';
import { nodeCells } from './nodes/columns.js';
import { checkConfigSource, checkConfigStatus } from './nodes/config.js';
import { checkTaints } from './nodes/taints.js';

export function defineNodeStrategy(names: Naming): Strategy {
  return {
    kind: 'Node',
    repeatsMetadataErrors: true,
    canonicalize(node) {
      const spec = objectAt(node, 'spec');
      if (spec) settlePodBlocks(spec);
      roundUpAmounts(objectAt(objectAt(node, 'status'), 'capacity'));
      roundUpAmounts(objectAt(objectAt(node, 'status'), 'allocatable'));
    },
    prepareForCreate: (node) => dropUnused(node, 'spec', 'configSource', undefined),
    prepareForUpdate(node, old, { subresource }) {
      if (subresource === 'status') dropUnused(node, 'status', 'config', old);
      else dropUnused(node, 'spec', 'configSource', old);
    },
    validate: (node, { subresource }) => (subresource === 'status' ? [] : firstErrors(checkNode(node, names))),
    validateUpdate: (node, old) => firstErrors(checkUpdate(node, old, names)),
    warnings,
    selectableField: (node, path) =>
      path === 'spec.unschedulable' ? String(isTrueAt(specOf(node), 'unschedulable')) : undefined,
    cell: (node, column) => nodeCells.get(column)?.(node, names),
  };
}

const specOf = (node: ApiObject): JsonObject => objectAt(node, 'spec') ?? {};
const statusOf = (node: ApiObject): JsonObject => objectAt(node, 'status') ?? {};

/** Configuration by reference is gone: only nodes that have it already keep it. */
function dropUnused(node: ApiObject, part: 'spec' | 'status', key: string, old: ApiObject | undefined): void {
  const inUse = old !== undefined && hasAt(objectAt(old, part) ?? {}, key);
  if (!inUse) delete objectAt(node, part)?.[key];
}

function* checkNode(node: ApiObject, names: Naming): FieldErrors {
  yield* checkNodeAnnotations(node.metadata.annotations ?? {}, 'metadata.annotations', names);
  yield* checkTaints(objectsAt(specOf(node), 'taints'), 'metadata.taints');
  yield* checkAmounts(node, names);
  yield* checkPodBlocks(specOf(node), 'spec.podCIDRs');
}

function* checkAmounts(node: ApiObject, names: Naming): FieldErrors {
  const resources = resourceNamesOf(names);
  for (const key of ['capacity', 'allocatable']) {
    for (const [name, amount] of amountsAt(statusOf(node), key)) {
      yield* amountErrors(name, amount, `status.${key}.${name}`, resources);
    }
  }
}

/** Errors of a change; most of the node's own are among them once more. */
function* checkUpdate(node: ApiObject, old: ApiObject, names: Naming): FieldErrors {
  yield* checkNodeAnnotations(node.metadata.annotations ?? {}, 'metadata.annotations', names);
  yield* checkAmounts(node, names);
  yield* checkAddresses(node);
  yield* checkBlocksKept(specOf(node), specOf(old));
  const provider = stringAt(specOf(old), 'providerID');
  if (provider !== '' && provider !== stringAt(specOf(node), 'providerID')) {
    yield forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid');
  }
  const source = objectAt(specOf(node), 'configSource');
  if (source) yield* checkConfigSource(source, 'spec.configSource');
  const config = objectAt(statusOf(node), 'config');
  if (config) yield* checkConfigStatus(config, 'status.config');
  yield* checkTaints(objectsAt(specOf(node), 'taints'), 'metadata.taints');
  if (stringAt(specOf(node), 'externalID') !== stringAt(specOf(old), 'externalID')) {
    yield forbidden('spec.externalID', 'may not be updated');
  }
}

function* checkAddresses(node: ApiObject): FieldErrors {
  const seen = new Set<string>();
  for (const [i, address] of objectsAt(statusOf(node), 'addresses').entries()) {
    const shown = `Type:${quote(stringAt(address, 'type'))}, Address:${quote(stringAt(address, 'address'))}`;
    if (seen.has(shown)) yield duplicate(`status.addresses[${i}]`, new Verbatim(`core.NodeAddress{${shown}}`));
    seen.add(shown);
  }
}

function* checkBlocksKept(spec: JsonObject, old: JsonObject): FieldErrors {
  const [blocks, before] = [textsAt(spec, 'podCIDRs'), textsAt(old, 'podCIDRs')];
  if (before.length === 0 || equal([...blocks], [...before])) return;
  const changed = blocks.length === before.length ? before.filter((block, i) => block !== blocks[i]).length : 1;
  for (let i = 0; i < changed; i++) {
    yield forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid');
  }
}

function warnings(node: ApiObject): readonly string[] {
  const spec = specOf(node);
  return [
    ...(hasAt(spec, 'configSource') ? ['spec.configSource: the feature is removed'] : []),
    ...(stringAt(spec, 'externalID') === ''
      ? []
      : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
  ];
}
