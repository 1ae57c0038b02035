/** Volumes in containers, as files or as devices. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import {
  forbidden,
  invalidValue,
  notFoundValue,
  notSupported,
  required,
} from '../../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import { checkDescendingPath, hasBackstep } from '../../shared/paths.js';
import { hasAt, isTrueAt, objectsAt } from '../../shared/reading.js';

/** The volumes of a pod by name; only those that nothing is wrong with. */
export type Volumes = ReadonlyMap<string, JsonObject>;

const propagations = ['Bidirectional', 'HostToContainer', 'None'] as const;

/** The mounts of a container, at its path. */
export function* checkMounts(container: JsonObject, volumes: Volumes, path: string): FieldErrors {
  const list = `${path}.volumeMounts`;
  const devices = objectsAt(container, 'volumeDevices');
  const deviceNames = new Set(devices.map((device) => stringAt(device, 'name')));
  const devicePaths = new Set(devices.map((device) => stringAt(device, 'devicePath')));
  const taken = new Set<string>();
  for (const [i, mount] of objectsAt(container, 'volumeMounts').entries()) {
    const at = `${list}[${i}]`;
    const [name, mountPath] = [stringAt(mount, 'name'), stringAt(mount, 'mountPath')];
    if (name === '') yield required(`${at}.name`);
    if (!volumes.has(name)) yield notFoundValue(`${at}.name`, name);
    if (mountPath === '') yield required(`${at}.mountPath`);
    if (taken.has(mountPath)) yield invalidValue(`${at}.mountPath`, mountPath, 'must be unique');
    taken.add(mountPath);
    if (deviceNames.has(name)) yield invalidValue(`${at}.name`, name, 'must not already exist in volumeDevices');
    if (devicePaths.has(mountPath)) {
      yield invalidValue(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices');
    }
    yield* checkSubPaths(mount, list, at);
    if (hasAt(mount, 'mountPropagation')) yield* checkPropagation(mount, container, `${list}.mountPropagation`);
  }
}

/** A part of a volume in place of all of it. Errors of the paths themselves are told of the list. */
function* checkSubPaths(mount: JsonObject, list: string, path: string): FieldErrors {
  const [plain, expression] = [stringAt(mount, 'subPath'), stringAt(mount, 'subPathExpr')];
  if (plain !== '') yield* checkDescendingPath(`${list}.subPath`, plain);
  if (expression === '') return;
  if (plain !== '') {
    yield invalidValue(`${path}.subPathExpr`, expression, 'subPathExpr and subPath are mutually exclusive');
  }
  yield* checkDescendingPath(`${list}.subPathExpr`, expression);
}

function* checkPropagation(mount: JsonObject, container: JsonObject, path: string): FieldErrors {
  const propagation = stringAt(mount, 'mountPropagation');
  if (!propagations.some((known) => known === propagation)) yield notSupported(path, propagation, propagations);
  if (propagation !== 'Bidirectional' || isTrueAt(objectAt(container, 'securityContext'), 'privileged')) return;
  yield forbidden(path, 'Bidirectional mount propagation is available only to privileged containers');
}

/** The devices of a container, at its path. */
export function* checkDevices(container: JsonObject, volumes: Volumes, path: string): FieldErrors {
  const mounts = objectsAt(container, 'volumeMounts');
  const mountNames = new Set(mounts.map((mount) => stringAt(mount, 'name')));
  const mountPaths = new Set(mounts.map((mount) => stringAt(mount, 'mountPath')));
  const [names, paths] = [new Set<string>(), new Set<string>()];
  for (const [i, device] of objectsAt(container, 'volumeDevices').entries()) {
    const at = `${path}.volumeDevices[${i}]`;
    const [name, devicePath] = [stringAt(device, 'name'), stringAt(device, 'devicePath')];
    yield* checkDeviceName(name, volumes.get(name), names, `${at}.name`);
    if (devicePath === '') yield required(`${at}.devicePath`);
    if (paths.has(devicePath)) yield invalidValue(`${at}.devicePath`, devicePath, 'must be unique');
    if (hasBackstep(devicePath)) {
      yield invalidValue(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')");
    } else paths.add(devicePath);
    if (mountNames.has(name)) yield invalidValue(`${at}.name`, name, 'must not already exist in volumeMounts');
    if (mountPaths.has(devicePath)) {
      yield invalidValue(`${at}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts');
    }
    if (name !== '') names.add(name);
  }
}

function* checkDeviceName(
  name: string,
  volume: JsonObject | undefined,
  taken: ReadonlySet<string>,
  path: string,
): FieldErrors {
  if (name === '') yield required(path);
  if (taken.has(name)) yield invalidValue(path, name, 'must be unique');
  if (!volume) yield notFoundValue(path, name);
  else if (!hasAt(volume, 'persistentVolumeClaim') && !hasAt(volume, 'ephemeral')) {
    const problem = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
    yield invalidValue(path, name, problem);
  }
}
