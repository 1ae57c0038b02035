/** CSINode: what storage drivers may tell about a node, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, Strategy } from '../runtime/contract/index.js';
import { equal } from '../runtime/objects/equality.js';
import { duplicate, invalidValue, required } from '../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../runtime/objects/key-names.js';
import { byteLength } from '../runtime/objects/printing.js';
import { checkDriverName } from './parts/driver-name.js';
import {
  checkNotNegative,
  checkText,
  type FieldErrors,
  firstErrors,
  objectsAt,
  textsAt,
} from './parts/field-checks.js';

const path = 'spec.drivers';
const maxNodeId = 256;

const driversOf = (node: ApiObject): readonly JsonObject[] => objectsAt(objectAt(node, 'spec'), 'drivers');

export function defineCSINodeStrategy(): Strategy {
  return {
    kind: 'storage.platform.io/CSINode',
    validate: (node) => firstErrors(checkDrivers(node)),
    validateUpdate: changeErrors,
    cell: (node, column) => (column === 'Drivers' ? driversOf(node).length : undefined),
  };
}

function* checkDrivers(node: ApiObject): FieldErrors {
  const names = new Set<string>();
  for (const [i, driver] of driversOf(node).entries()) {
    const at = `${path}[${i}]`;
    const name = stringAt(driver, 'name');
    yield* checkDriverName(name, `${at}.name`);
    yield* checkNodeId(stringAt(driver, 'nodeID'), `${at}.nodeID`);
    yield* checkNotNegative(objectAt(driver, 'allocatable') ?? {}, 'count', `${at}.allocatable`);
    if (names.has(name)) yield duplicate(`${at}.name`, name);
    names.add(name);
    yield* checkTopologyKeys(textsAt(driver, 'topologyKeys'), at);
  }
}

function* checkNodeId(id: string, at: string): FieldErrors {
  if (id === '') yield required(at);
  if (byteLength(id) > maxNodeId) yield invalidValue(at, id, `must be ${maxNodeId} characters or less`);
}

/** Mistakes in the keys are told of the driver as a whole. */
function* checkTopologyKeys(keys: readonly string[], at: string): FieldErrors {
  for (const [i, key] of keys.entries()) {
    if (key === '') yield required(at);
    if (keys.indexOf(key) < i) yield duplicate(at, key);
    yield* checkText(at, key, qualifiedNameCheck);
  }
}

/** A driver can come and go, but not change. */
function changeErrors(node: ApiObject, old: ApiObject): FieldError[] {
  const now = new Map(driversOf(node).map((driver) => [stringAt(driver, 'name'), driver]));
  return driversOf(old).flatMap((before) => {
    const driver = now.get(stringAt(before, 'name'));
    return !driver || equal(driver, before) ? [] : [invalidValue(path, driver, 'field is immutable')];
  });
}
