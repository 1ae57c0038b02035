/** Node: its rules, the changes that it allows, and its columns. */
import { defineNodeHandlers } from '../../generated/core/v1/nodes/handlers.js';
import type { Node } from '../../generated/core/v1/nodes/types.js';
import type { NodeSpec, NodeStatus } from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { duplicate, forbidden, Verbatim } from '../../runtime/objects/field-error.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { amountErrors, amountsOf, roundUpAmounts } from '../shared/resource-list.js';
import { resourceNamesOf } from '../shared/resource-names.js';
import { checkPodBlocks, settlePodBlocks } from './nodes/addresses.js';
import { checkNodeAnnotations } from './nodes/annotations.js';
import { addressText, rolesText, statusText, systemText } from './nodes/columns.js';
import { checkConfigSource, checkConfigStatus } from './nodes/config.js';
import { checkTaints } from './nodes/taints.js';

type NodeDraft = DraftObject<Node>;
type Spec = Draft<NodeSpec>;
type Status = Draft<NodeStatus>;

export const defineNodes = (names: Naming): KindHandlers =>
  defineNodeHandlers({
    repeatsMetadataErrors: true,
    canonicalize({ spec, status }) {
      if (spec) settlePodBlocks(spec);
      roundUpAmounts(status?.capacity);
      roundUpAmounts(status?.allocatable);
    },
    prepareForCreate: ({ spec }) => dropConfigSource(spec),
    prepareForUpdate(node, old, { subresource }) {
      if (subresource !== 'status') dropConfigSource(node.spec, old.spec);
      else if (!old.status?.config) delete node.status?.config;
    },
    validate: (node, { subresource }) => (subresource === 'status' ? [] : firstErrors(checkNode(node, names))),
    validateUpdate: (node, old) => firstErrors(checkUpdate(node, old, names)),
    warn: warnings,
    selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec?.unschedulable ?? false) },
    columns: {
      Status: statusText,
      Roles: (node) => rolesText(node, names),
      'Internal-IP': addressText('InternalIP'),
      'External-IP': addressText('ExternalIP'),
      'OS-Image': systemText('osImage'),
      'Kernel-Version': systemText('kernelVersion'),
      'Container-Runtime': systemText('containerRuntimeVersion'),
    },
  });

/** Configuration by reference is gone: only nodes that have it already keep it. */
function dropConfigSource(spec: Spec | undefined, old?: Spec): void {
  if (!old?.configSource) delete spec?.configSource;
}

function* checkNode({ metadata, spec, status }: NodeDraft, names: Naming): FieldErrors {
  yield* checkNodeAnnotations(metadata.annotations ?? {}, 'metadata.annotations', names);
  yield* checkTaints(spec?.taints ?? [], 'metadata.taints');
  yield* checkAmounts(status, names);
  yield* checkPodBlocks(spec?.podCIDRs ?? [], 'spec.podCIDRs');
}

/** Amounts of resources are positive, and whole where the resource is counted. */
function* checkAmounts(status: Status = {}, names: Naming): FieldErrors {
  const resources = resourceNamesOf(names);
  for (const key of ['capacity', 'allocatable'] as const) {
    for (const [name, amount] of amountsOf(status[key])) {
      yield* amountErrors(name, amount, `status.${key}.${name}`, resources);
    }
  }
}

/** Errors of a change; most errors of the node itself are repeated among them. */
function* checkUpdate({ metadata, spec = {}, status = {} }: NodeDraft, old: NodeDraft, names: Naming): FieldErrors {
  yield* checkNodeAnnotations(metadata.annotations ?? {}, 'metadata.annotations', names);
  yield* checkAmounts(status, names);
  yield* checkAddresses(status);
  yield* checkBlocksKept(spec, old.spec);
  const provider = old.spec?.providerID;
  if (provider && provider !== spec.providerID) {
    yield forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid');
  }
  if (spec.configSource) yield* checkConfigSource(spec.configSource, 'spec.configSource');
  if (status.config) yield* checkConfigStatus(status.config, 'status.config');
  yield* checkTaints(spec.taints ?? [], 'metadata.taints');
  if ((spec.externalID ?? '') !== (old.spec?.externalID ?? '')) {
    yield forbidden('spec.externalID', 'may not be updated');
  }
}

/** A node has each address once per type. */
function* checkAddresses({ addresses = [] }: Status): FieldErrors {
  const seen = new Set<string>();
  for (const [i, { type = '', address = '' }] of addresses.entries()) {
    const shown = `Type:${quote(type)}, Address:${quote(address)}`;
    if (seen.has(shown)) yield duplicate(`status.addresses[${i}]`, new Verbatim(`core.NodeAddress{${shown}}`));
    seen.add(shown);
  }
}

/** A node keeps its blocks of addresses once it has some; each one that differs is an error. */
function* checkBlocksKept({ podCIDRs: blocks = [] }: Spec, { podCIDRs: before = [] }: Spec = {}): FieldErrors {
  if (before.length === 0 || equal(blocks, before)) return;
  const changed = blocks.length === before.length ? before.filter((block, i) => block !== blocks[i]).length : 1;
  for (let i = 0; i < changed; i++) {
    yield forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid');
  }
}

const warnings = ({ spec }: NodeDraft): readonly string[] => [
  ...(spec?.configSource ? ['spec.configSource: the feature is removed'] : []),
  ...(spec?.externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
];
