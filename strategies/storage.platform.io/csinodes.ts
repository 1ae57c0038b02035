/** CSINode: the storage drivers of a node, which stay as they were registered. */
import { defineCSINodeHandlers } from '../../generated/storage.platform.io/v1/csinodes/handlers.js';
import type { CSINode } from '../../generated/storage.platform.io/v1/csinodes/types.js';
import type { CSINodeDriver } from '../../generated/types/storage/v1/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { duplicate, invalidValue, required } from '../../runtime/objects/field-error.js';
import { byteLength, qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import { notNegative } from '../shared/counts.js';
import { checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { checkDriverName } from '../shared/names.js';

type Driver = Draft<CSINodeDriver>;

const maxNodeId = 256;

export const defineCSINodes = (): KindHandlers =>
  defineCSINodeHandlers({
    updateChecks: ['metadata', 'fields', 'metadata', 'fields', 'field changes'],
    validate: (node) => firstErrors(checkDrivers(driversOf(node))),
    validateUpdate: (node, old) => changeErrors(driversOf(node), driversOf(old)),
    columns: { Drivers: (node) => driversOf(node).length },
  });

const driversOf = ({ spec }: DraftObject<CSINode>): readonly Driver[] => spec?.drivers ?? [];

/** A node has each driver once. */
function* checkDrivers(drivers: readonly Driver[]): FieldErrors {
  const names = new Set<string>();
  for (const [i, { name = '', nodeID = '', allocatable, topologyKeys }] of drivers.entries()) {
    const path = `spec.drivers[${i}]`;
    yield* checkDriverName(name, `${path}.name`);
    yield* checkNodeId(nodeID, `${path}.nodeID`);
    yield* notNegative(allocatable?.count, `${path}.allocatable.count`);
    if (names.has(name)) yield duplicate(`${path}.name`, name);
    names.add(name);
    yield* checkTopologyKeys(topologyKeys ?? [], path);
  }
}

/** The driver's name for the node is present and not too long. */
function* checkNodeId(id: string, path: string): FieldErrors {
  if (id === '') yield required(path);
  if (byteLength(id) > maxNodeId) yield invalidValue(path, id, `must be ${maxNodeId} characters or less`);
}

/** Topology keys are unique label keys; errors have the path of the driver. */
function* checkTopologyKeys(keys: readonly string[], path: string): FieldErrors {
  const seen = new Set<string>();
  for (const key of keys) {
    if (key === '') yield required(path);
    if (seen.has(key)) yield duplicate(path, key);
    seen.add(key);
    yield* checkText(path, key, qualifiedNameCheck);
  }
}

/** A driver must be removed and registered again to change. */
function changeErrors(drivers: readonly Driver[], before: readonly Driver[]): readonly FieldError[] {
  const known = new Map(before.map((driver) => [driver.name, driver]));
  return drivers.flatMap((driver) => {
    const old = known.get(driver.name);
    if (old === undefined || equal(old, driver)) return [];
    return [invalidValue('CSINodeDriver', driver, 'field is immutable')];
  });
}
