/** The devices of a slice: attributes, capacities, counters, nodes and taints. */

import type {
  CapacityRequestPolicy,
  Counter,
  Device,
  DeviceAttribute,
  DeviceCapacity,
} from '../../generated/types/resource/v1/types.js';
import type { Draft } from '../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, required, tooLong, tooMany } from '../../runtime/objects/field-error.js';
import {
  byteLength,
  dns1123Label,
  dns1123Subdomain,
  qualifiedNameCheck,
} from '../../runtime/objects/names/name-checks.js';
import { checkName, checkText, type FieldErrors } from '../shared/field-checks.js';
import { checkNodeSelector } from '../shared/selectors.js';
import { checkQualifiedName } from './device-names.js';
import { maxProperties } from './device-selectors.js';
import { checkTaint } from './device-taints.js';

const maxCounters = 32;
const maxText = 64;
const maxConditions = 4;

/** Checks a device; `placed` is whether each device of the slice selects its own nodes. */
export function* checkDevice(device: Draft<Device>, path: string, placed: boolean): FieldErrors {
  const { name = '', attributes = {}, capacity = {}, taints = [], allowMultipleAllocations: isShared } = device;
  yield* checkName(`${path}.name`, name, dns1123Label);
  const properties = Object.keys(attributes).length + Object.keys(capacity).length;
  const rule = `the total number of attributes and capacities must not exceed ${maxProperties}`;
  if (properties > maxProperties) yield invalidValue(path, properties, rule);
  for (const [key, attribute] of Object.entries(attributes)) {
    yield* checkQualifiedName(key, `${path}.attributes`);
    yield* checkAttribute(attribute, `${path}.attributes[${key}]`);
  }
  for (const [key, amount] of Object.entries(capacity)) {
    yield* checkQualifiedName(key, `${path}.capacity`);
    yield* checkCapacity(amount, `${path}.capacity[${key}]`, isShared ?? false);
  }
  for (const [i, taint] of taints.entries()) yield* checkTaint(taint, `${path}.taints[${i}]`);
  yield* checkConsumption(device, `${path}.consumesCounters`);
  yield* checkNodes(device, path, placed);
  yield* checkBinding(device, path);
}

const version =
  /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/;

/** An attribute has exactly one value, and lists are not empty. */
function* checkAttribute(attribute: Draft<DeviceAttribute>, path: string): FieldErrors {
  const set = Object.values(attribute).filter((value) => value !== undefined);
  const { string, version: text, strings = [], versions = [], bools, ints } = attribute;
  if (string !== undefined) yield* checkLength(string, `${path}.string`);
  if (text !== undefined) yield* checkVersion(text, `${path}.version`);
  for (const [field, list] of Object.entries({
    bools,
    ints,
    strings: attribute.strings,
    versions: attribute.versions,
  })) {
    if (list?.length === 0) yield invalidValue(`${path}.${field}`, [], 'must not be empty if specified');
  }
  for (const [i, item] of strings.entries()) yield* checkLength(item, `${path}.strings[${i}]`);
  for (const [i, item] of versions.entries()) yield* checkVersion(item, `${path}.versions[${i}]`);
  if (set.length !== 1) {
    yield invalidValue(path, set.length === 0 ? '' : { ...attribute }, 'exactly one value must be specified');
  }
}

function* checkLength(text: string, path: string): FieldErrors {
  if (byteLength(text) > maxText) yield tooLong(path, maxText);
}

function* checkVersion(text: string, path: string): FieldErrors {
  if (!version.test(text)) yield invalidValue(path, text, 'must be a string compatible with semver.org spec 2.0.0');
  yield* checkLength(text, path);
}

/** Only a shared device says how its capacity is divided. */
function* checkCapacity({ requestPolicy }: Draft<DeviceCapacity>, path: string, isShared: boolean): FieldErrors {
  if (!requestPolicy) return;
  if (isShared) yield* checkPolicy(requestPolicy, `${path}.requestPolicy`);
  else yield forbidden(`${path}.requestPolicy`, 'allowMultipleAllocations must be true');
}

/** Valid amounts are a list or a range, and either needs a default. */
function* checkPolicy(policy: Draft<CapacityRequestPolicy>, path: string): FieldErrors {
  const { default: usual, validValues = [], validRange } = policy;
  if (validValues.length > 0 && validRange) {
    yield forbidden(
      path,
      'exactly one policy can be specified, cannot specify `validValues` and `validRange` at the same time',
    );
  }
  if (usual === undefined && (validValues.length > 0 || validRange)) {
    yield required(`${path}.default`, 'required when validValues or validRange is defined');
  }
  if (validRange && validRange.min === undefined) yield required(`${path}.validRange.min`);
}

/** Checks the names of counters. */
export function* checkCounters(counters: Readonly<Record<string, Draft<Counter>>> = {}, path: string): FieldErrors {
  const names = Object.keys(counters);
  if (names.length === 0) yield required(path);
  if (names.length > maxCounters) yield tooMany(path, names.length, maxCounters);
  for (const name of names) yield* checkText(path, name, dns1123Label);
}

function* checkConsumption({ consumesCounters = [] }: Draft<Device>, path: string): FieldErrors {
  const seen = new Set<string>();
  for (const [i, { counterSet = '', counters }] of consumesCounters.entries()) {
    if (seen.has(counterSet)) yield duplicate(`${path}[${i}]`, counterSet);
    seen.add(counterSet);
    yield* checkName(`${path}[${i}].counterSet`, counterSet, dns1123Label);
    yield* checkCounters(counters, `${path}[${i}].counters`);
  }
}

/** A device selects its nodes in exactly one way if the slice leaves it to the devices, and in none otherwise. */
function* checkNodes({ nodeName, nodeSelector, allNodes }: Draft<Device>, path: string, placed: boolean): FieldErrors {
  const fields = { nodeName, nodeSelector, allNodes };
  if (!placed) {
    const rule =
      '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
    if (Object.values(fields).some((value) => value !== undefined)) yield invalidValue(path, null, rule);
    return;
  }
  const ways = Object.entries(fields).flatMap(([field, value]) => (value ? [`\`${field}\``] : []));
  if (nodeName === '') yield invalidValue(`${path}.nodeName`, '', 'must not be empty');
  else if (nodeName !== undefined) yield* checkText(`${path}.nodeName`, nodeName, dns1123Subdomain);
  if (nodeSelector) yield* checkNodeSelector(nodeSelector, `${path}.nodeSelector`);
  if (allNodes === false) yield invalidValue(`${path}.allNodes`, false, 'must be either unset or set to true');
  const rule =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  if (ways.length === 0) yield required(path, rule);
  if (ways.length > 1) yield invalidValue(path, `{${ways.join(', ')}}`, rule);
}

/** Binding conditions are names of condition types. Failure conditions need a condition that binding waits for. */
function* checkBinding(device: Draft<Device>, path: string): FieldErrors {
  const { bindingConditions: awaited = [], bindingFailureConditions: failures = [] } = device;
  for (const [field, types] of Object.entries({ bindingConditions: awaited, bindingFailureConditions: failures })) {
    if (types.length > maxConditions) continue;
    for (const [i, type] of types.entries()) yield* checkText(`${path}.${field}[${i}]`, type, qualifiedNameCheck);
  }
  if (awaited.length === 0 && failures.length > 0) {
    yield invalidValue(
      `${path}.bindingConditions`,
      awaited,
      'bindingConditions are required to use bindingFailureConditions',
    );
  }
}
