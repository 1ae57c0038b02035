/** ResourceSlice: one way to select nodes, its pool, and its devices or shared counters. */

import { defineResourceSliceHandlers } from '../../generated/resource.platform.io/v1/resourceslices/handlers.js';
import type { ResourceSlice } from '../../generated/resource.platform.io/v1/resourceslices/types.js';
import type { CounterSet, Device, ResourcePool } from '../../generated/types/resource/v1/types.js';
import type { Draft, DraftObject, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, required, tooMany } from '../../runtime/objects/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import { checkName, checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { checkDriverName } from '../shared/names.js';
import { checkNodeSelector } from '../shared/selectors.js';
import { checkPoolName } from './device-names.js';
import { checkCounters, checkDevice } from './slice-devices.js';

type Spec = NonNullable<DraftObject<ResourceSlice>['spec']>;

const maxDevices = 128;
/** The most devices if one of them has taints, lists of attributes, or consumes counters. */
const maxElaborateDevices = 64;

export const defineResourceSlices = (): KindHandlers =>
  defineResourceSliceHandlers({
    validate: ({ spec }) => firstErrors(checkSpec(spec)),
  });

function* checkSpec(spec: Spec = {}): FieldErrors {
  yield* checkDriverName(spec.driver ?? '', 'spec.driver');
  yield* checkPool(spec.pool);
  yield* checkNodes(spec);
  yield* checkContent(spec);
}

function* checkPool({ name = '', resourceSliceCount = 0, generation = 0 }: Draft<ResourcePool> = {}): FieldErrors {
  yield* checkPoolName(name, 'spec.pool.name');
  if (resourceSliceCount <= 0) {
    yield invalidValue('spec.pool.resourceSliceCount', resourceSliceCount, 'must be greater than zero');
  }
  if (generation < 0) yield invalidValue('spec.pool.generation', generation, 'must be greater than or equal to zero');
}

/** Nodes are selected in exactly one way. `false` does not count as a way, and is refused. */
function* checkNodes({ nodeName, nodeSelector, allNodes, perDeviceNodeSelection }: Spec): FieldErrors {
  const ways = Object.entries({ nodeName, nodeSelector, allNodes, perDeviceNodeSelection })
    .filter(([, value]) => value)
    .map(([field]) => `\`${field}\``);
  if (nodeName === '') {
    yield invalidValue('spec.nodeName', '', 'must be either unset or set to a non-empty string');
  } else if (nodeName !== undefined) yield* checkText('spec.nodeName', nodeName, dns1123Subdomain);
  if (nodeSelector) {
    yield* checkNodeSelector(nodeSelector, 'spec.nodeSelector');
    const terms = nodeSelector.nodeSelectorTerms ?? [];
    const field = 'spec.nodeSelector.nodeSelectorTerms';
    if (terms.length !== 1) yield invalidValue(field, terms, 'must have exactly one node selector term');
  }
  for (const [field, value] of Object.entries({ allNodes, perDeviceNodeSelection })) {
    if (value === false) yield invalidValue(`spec.${field}`, false, 'must be either unset or set to true');
  }
  const rule = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  if (ways.length === 0) yield required('spec', rule);
  if (ways.length > 1) yield invalidValue('spec', `{${ways.join(', ')}}`, `${rule}, but multiple fields are set`);
}

/** A slice has devices, or counters that the devices of other slices share. */
function* checkContent({ devices, sharedCounters, perDeviceNodeSelection = false }: Spec): FieldErrors {
  if (devices && sharedCounters) {
    yield invalidValue('spec', '', 'only one of `sharedCounters` or `devices` is allowed');
  }
  const most = devices?.some(isElaborate) ? maxElaborateDevices : maxDevices;
  if (devices && devices.length > most) yield tooMany('spec.devices', devices.length, most);
  for (const [i, device] of (devices ?? []).entries()) {
    yield* checkDevice(device, `spec.devices[${i}]`, perDeviceNodeSelection);
  }
  for (const [i, set] of (sharedCounters ?? []).entries()) yield* checkCounterSet(set, `spec.sharedCounters[${i}]`);
}

const isElaborate = ({ taints, consumesCounters, attributes }: Draft<Device>): boolean =>
  Boolean(taints?.length || consumesCounters?.length) ||
  Object.values(attributes ?? {}).some(({ bools, ints, strings, versions }) => bools || ints || strings || versions);

function* checkCounterSet({ name = '', counters }: Draft<CounterSet>, path: string): FieldErrors {
  yield* checkName(`${path}.name`, name, dns1123Label);
  yield* checkCounters(counters, `${path}.counters`);
}
