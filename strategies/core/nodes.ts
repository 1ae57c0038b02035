/** Node: what it may contain, how it may change, and its columns. */
import { defineNodeHandlers } from '../../generated/core/v1/nodes/handlers.js';
import type { Node } from '../../generated/core/v1/nodes/types.js';
import type {
  ConfigMapNodeConfigSource,
  NodeConfigSource,
  NodeConfigStatus,
  NodeSpec,
  NodeStatus,
} from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import {
  duplicate,
  forbidden,
  invalidValue,
  required,
  stringList,
  Verbatim,
} from '../../runtime/objects/field-error.js';
import { configMapKey, dns1123Label, dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { cidr } from '../../runtime/objects/names/network-names.js';
import { quote } from '../../runtime/objects/printing.js';
import { formatQuantity } from '../../runtime/objects/scan/quantity.js';
import { checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { amountErrors, amountsOf, resourceNamesOf, roundUpAmounts } from '../shared/resources.js';
import { checkNodeAnnotations } from './node-annotations.js';
import { addressText, rolesText, statusText, systemText } from './node-labels.js';
import { checkTaints } from './pod-spec/scheduling.js';

// The source of a node's configuration. Nothing uses it any more, but stored nodes with it stay valid.

type ConfigMap = Draft<ConfigMapNodeConfigSource>;

/** The fields that identify one state of a config map. */
const stateFields = ['uid', 'resourceVersion'] as const;

const identity = [
  ['namespace', dns1123Label],
  ['name', dns1123Subdomain],
  ['kubeletConfigKey', configMapKey],
] as const;

type NodeDraft = DraftObject<Node>;
type Spec = Draft<NodeSpec>;
type Status = Draft<NodeStatus>;

export const defineNodes = (names: Naming): KindHandlers =>
  defineNodeHandlers({
    updateChecks: ['metadata', 'fields', 'metadata changes', 'field changes'],
    canonicalize({ spec, status }) {
      if (spec) settlePodBlocks(spec);
      roundUpAmounts(status?.capacity);
      roundUpAmounts(status?.allocatable);
      // By default, pods may use all that the node has.
      if (status?.capacity && !status.allocatable) status.allocatable = { ...status.capacity };
    },
    prepareForCreate({ spec, status }) {
      dropConfigSource(spec);
      delete status?.config;
    },
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

/** The source in the spec is a config map in any state. */
function* checkConfigSource(source: Draft<NodeConfigSource>, path: string): FieldErrors {
  yield* checkSource(source, path, function* (map, at) {
    for (const key of stateFields) if (map[key]) yield forbidden(`${at}.${key}`, `${key} must not be set in spec`);
  });
}

/** The sources in the status are config maps in one state each. */
function* checkConfigStatus(status: Draft<NodeConfigStatus>, path: string): FieldErrors {
  for (const field of ['assigned', 'active', 'lastKnownGood'] as const) {
    const source = status[field];
    if (!source) continue;
    yield* checkSource(source, `${path}.${field}`, function* (map, at) {
      for (const key of stateFields) if (!map[key]) yield required(`${at}.${key}`, `${key} must be set in status`);
    });
  }
}

function* checkSource(
  source: Draft<NodeConfigSource>,
  path: string,
  checkState: (map: ConfigMap, at: string) => FieldErrors,
): FieldErrors {
  const { configMap } = source;
  if (!configMap) {
    yield invalidValue(path, source, 'exactly one reference subfield must be non-nil');
    return;
  }
  yield* checkState(configMap, `${path}.configMap`);
  for (const [key, check] of identity) {
    const text = configMap[key];
    if (text) yield* checkText(`${path}.configMap.${key}`, text, check);
    else yield required(`${path}.configMap.${key}`, `${key} must be set`);
  }
}

/** Only nodes that already have a configuration source keep it. */
function dropConfigSource(spec: Spec | undefined, old?: Spec): void {
  if (!old?.configSource) delete spec?.configSource;
}

function* checkNode({ metadata, spec, status }: NodeDraft, names: Naming): FieldErrors {
  yield* checkNodeAnnotations(metadata.annotations ?? {}, 'metadata.annotations', names);
  yield* checkTaints(spec?.taints ?? [], 'metadata.taints');
  yield* checkAmounts(status, names);
  yield* checkSwap(status);
  yield* checkFeatures(status);
  yield* checkPodBlocks(spec?.podCIDRs ?? [], 'spec.podCIDRs');
}

/** Amounts are positive, and whole if the resource is counted. */
function* checkAmounts(status: Status = {}, names: Naming): FieldErrors {
  const resources = resourceNamesOf(names);
  for (const key of ['capacity', 'allocatable'] as const) {
    for (const [name, amount] of amountsOf(status[key])) {
      yield* amountErrors(name, amount, `status.${key}.${name}`, resources);
    }
  }
}

/** A capacity of swap is more than zero. As in the reference, the path is in the metadata. */
function* checkSwap({ nodeInfo }: Status = {}): FieldErrors {
  const capacity = nodeInfo?.swap?.capacity;
  if (capacity === undefined || capacity > 0) return;
  const printed = formatQuantity({ digits: BigInt(capacity), exponent: 0, notation: 'binary' });
  yield invalidValue('metadata.nodeSwapStatus.capacity', printed, 'must be greater than zero');
}

const maxFeature = 253;
const featurePattern = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/;

/** The features of a node have names in camel case, and are sorted. */
function* checkFeatures({ declaredFeatures: features = [] }: Status = {}): FieldErrors {
  for (const [i, feature] of features.entries()) {
    const problem = featureProblem(feature);
    const at = (index: number): string => `status.declaredFeatures[${index}]`;
    if (problem) yield invalidValue(at(i), feature, `invalid feature name ${quote(feature)}: ${problem}`);
    const next = features[i + 1];
    if (next === feature) yield duplicate(at(i + 1), next);
    else if (next !== undefined && next < feature) {
      yield invalidValue(at(i + 1), next, 'list must be sorted alphabetically');
    }
  }
}

function featureProblem(name: string): string | undefined {
  if (name.length > maxFeature) return `must be no more than ${maxFeature} characters`;
  if (featurePattern.test(name)) return undefined;
  return (
    "must start with an UpperCamelCase segment, with subsequent segments separated by '/' " +
    '(e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes'
  );
}

/** Checks an update; repeats most errors of the node itself. */
function* checkUpdate({ metadata, spec = {}, status = {} }: NodeDraft, old: NodeDraft, names: Naming): FieldErrors {
  yield* checkNodeAnnotations(metadata.annotations ?? {}, 'metadata.annotations', names);
  yield* checkAmounts(status, names);
  yield* checkFeatures(status);
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

/** A node keeps its address blocks once it has some; each changed block is an error. */
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

// Address blocks for pods: an older field for one block, and a newer one for several.

/** Makes both fields agree, in place. The older one wins over the first block of the newer one. */
function settlePodBlocks(spec: Draft<NodeSpec>): void {
  const { podCIDR: single, podCIDRs: [first] = [] } = spec;
  if (single && single !== first) spec.podCIDRs = [single];
  else if (first && !single) spec.podCIDR = first;
}

/** A node has at most one block of each family. */
function* checkPodBlocks(blocks: readonly string[], path: string): FieldErrors {
  for (const [i, block] of blocks.entries()) yield* checkText(`${path}[${i}]`, block, cidr);
  if (blocks.length < 2) return;
  const families = new Set(blocks.filter((block) => cidr(block).length === 0).map((block) => block.includes(':')));
  if (families.size < 2 || blocks.length > 2) {
    yield invalidValue(path, stringList(blocks), 'may specify no more than one CIDR for each IP family');
  }
  const seen = new Set<string>();
  for (const [i, block] of blocks.entries()) {
    if (seen.has(block)) yield duplicate(`${path}[${i}]`, block);
    seen.add(block);
  }
}
