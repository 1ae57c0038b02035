/** Rules for the volumes that containers use, as files or as devices. */
import type { Container, Volume, VolumeMount } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue, notFoundValue, required } from '../../../runtime/objects/field-error.js';
import { checkOneOf, type FieldErrors } from '../../shared/field-checks.js';
import { checkDescendingPath, hasBackstep } from '../../shared/paths.js';

/** The volumes of a pod by name; only those that nothing is wrong with. */
export type Volumes = ReadonlyMap<string, Draft<Volume>>;

const propagations = ['Bidirectional', 'HostToContainer', 'None'] as const;

/** The mounts of a container, at its path. */
export function* checkMounts(container: Draft<Container>, volumes: Volumes, path: string): FieldErrors {
  const { volumeMounts = [], volumeDevices = [] } = container;
  const list = `${path}.volumeMounts`;
  const deviceNames = new Set(volumeDevices.map((device) => device.name ?? ''));
  const devicePaths = new Set(volumeDevices.map((device) => device.devicePath ?? ''));
  const taken = new Set<string>();
  for (const [i, mount] of volumeMounts.entries()) {
    const { name = '', mountPath = '' } = mount;
    const at = `${list}[${i}]`;
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
    yield* checkPropagation(mount, container, list);
  }
}

/** The part of a volume that is mounted in place of all of it. Errors of the paths themselves name the list. */
function* checkSubPaths(
  { subPath = '', subPathExpr = '' }: Draft<VolumeMount>,
  list: string,
  path: string,
): FieldErrors {
  if (subPath !== '') yield* checkDescendingPath(`${list}.subPath`, subPath);
  if (subPathExpr === '') return;
  if (subPath !== '') {
    yield invalidValue(`${path}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive');
  }
  yield* checkDescendingPath(`${list}.subPathExpr`, subPathExpr);
}

function* checkPropagation(mount: Draft<VolumeMount>, container: Draft<Container>, path: string): FieldErrors {
  yield* checkOneOf(mount.mountPropagation, `${path}.mountPropagation`, propagations);
  if (mount.mountPropagation !== 'Bidirectional' || container.securityContext?.privileged) return;
  const problem = 'Bidirectional mount propagation is available only to privileged containers';
  yield forbidden(`${path}.mountPropagation`, problem);
}

/** The devices of a container, at its path. */
export function* checkDevices(container: Draft<Container>, volumes: Volumes, path: string): FieldErrors {
  const { volumeMounts = [], volumeDevices = [] } = container;
  const mountNames = new Set(volumeMounts.map((mount) => mount.name ?? ''));
  const mountPaths = new Set(volumeMounts.map((mount) => mount.mountPath ?? ''));
  const [names, paths] = [new Set<string>(), new Set<string>()];
  for (const [i, { name = '', devicePath = '' }] of volumeDevices.entries()) {
    const at = `${path}.volumeDevices[${i}]`;
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
  volume: Draft<Volume> | undefined,
  taken: ReadonlySet<string>,
  path: string,
): FieldErrors {
  if (name === '') yield required(path);
  if (taken.has(name)) yield invalidValue(path, name, 'must be unique');
  if (!volume) yield notFoundValue(path, name);
  else if (!volume.persistentVolumeClaim && !volume.ephemeral) {
    const problem = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
    yield invalidValue(path, name, problem);
  }
}
