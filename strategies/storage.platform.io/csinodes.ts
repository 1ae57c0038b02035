/** CSINode: the storage drivers of a node, each of which stays as it registered. */
import type { ApiObject, FieldError, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { duplicate, invalidValue, required } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../runtime/objects/key-names.js';
import { byteLength } from '../../runtime/objects/printing.js';
import { checkDriverName } from '../shared/driver-name.js';
import { checkNotNegative, checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { objectsAt, textsAt } from '../shared/reading.js';

const maxNodeId = 256;

export function defineCSINodeStrategy(): Strategy {
  return {
    kind: 'storage.platform.io/CSINode',
    validate: (node) => firstErrors(checkDrivers(node)),
    validateUpdate,
    cell: (node, column) => (column === 'Drivers' ? driversOf(node).length : undefined),
  };
}

const driversOf = (node: ApiObject): readonly JsonObject[] => objectsAt(objectAt(node, 'spec'), 'drivers');

function* checkDrivers(node: ApiObject): FieldErrors {
  const names = new Set<string>();
  for (const [i, driver] of driversOf(node).entries()) {
    const path = `spec.drivers[${i}]`;
    const name = stringAt(driver, 'name');
    yield* checkDriverName(name, `${path}.name`);
    yield* checkNodeId(stringAt(driver, 'nodeID'), `${path}.nodeID`);
    yield* checkNotNegative(objectAt(driver, 'allocatable') ?? {}, 'count', `${path}.allocatable`);
    if (names.has(name)) yield duplicate(`${path}.name`, name);
    names.add(name);
    yield* checkTopologyKeys(textsAt(driver, 'topologyKeys'), path);
  }
}

function* checkNodeId(id: string, path: string): FieldErrors {
  if (id === '') yield required(path);
  if (byteLength(id) > maxNodeId) yield invalidValue(path, id, `must be ${maxNodeId} characters or less`);
}

/** Errors of keys are told of the whole driver. */
function* checkTopologyKeys(keys: readonly string[], path: string): FieldErrors {
  const seen = new Set<string>();
  for (const key of keys) {
    if (key === '') yield required(path);
    if (seen.has(key)) yield duplicate(path, key);
    seen.add(key);
    yield* checkText(path, key, qualifiedNameCheck);
  }
}

/** A driver that changes has to leave and register again. */
function validateUpdate(node: ApiObject, old: ApiObject): readonly FieldError[] {
  const before = new Map(driversOf(old).map((driver) => [stringAt(driver, 'name'), driver]));
  return driversOf(node).flatMap((driver) => {
    const known = before.get(stringAt(driver, 'name'));
    if (known === undefined || equal(known, driver)) return [];
    return [invalidValue('CSINodeDriver', driver, 'field is immutable')];
  });
}
