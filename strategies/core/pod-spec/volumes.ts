/** The volumes of a pod, and how containers mount them. */
import type { Container, Volume, VolumeMount } from '../../../generated/types/core/v1/types.js';
import type { Draft, FieldError } from '../../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, notFoundValue, required } from '../../../runtime/objects/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import { quote } from '../../../runtime/objects/printing.js';
import { checkName, checkOneOf, type FieldErrors, setFields } from '../../shared/field-checks.js';
import { checkDescendingPath, hasBackstep } from '../../shared/names.js';
import { volumeSources } from './volume-sources.js';

/** The facts that checks need besides the volumes. */
export interface VolumeContext {
  readonly names: Naming;
  /** The name of the pod; empty in templates, because their pods have no names yet. */
  readonly podName: string;
}

/** The valid volumes by name, and the errors of all. */
export interface CheckedVolumes {
  readonly volumes: Volumes;
  readonly errors: FieldErrors;
}

/** Checks the volumes of a pod. */
export function checkVolumes(
  list: readonly Draft<Volume>[] = [],
  path: string,
  context: VolumeContext,
): CheckedVolumes {
  const created = new Set(list.filter(({ ephemeral }) => ephemeral).map((one) => claimName(one, context)));
  const volumes = new Map<string, Draft<Volume>>();
  const errors: FieldError[] = [];
  for (const [i, volume] of list.entries()) {
    const { name = '', persistentVolumeClaim: { claimName: claim = '' } = {} } = volume;
    const at = `${path}[${i}]`;
    const found = [...checkSource(volume, at, context), ...checkName(`${at}.name`, name, dns1123Label)];
    if (volumes.has(name)) found.push(duplicate(`${at}.name`, name));
    if (found.length === 0) volumes.set(name, volume);
    for (const error of found) errors.push(error);
    if (context.podName === '' || claim === '' || !created.has(claim)) continue;
    const problem = 'must not reference a PVC that gets created for an ephemeral volume';
    errors.push(invalidValue(`${at}.persistentVolumeClaim.claimName`, claim, problem));
  }
  return { volumes, errors };
}

/** Returns the name of the claim of an ephemeral volume. */
const claimName = ({ name = '' }: Draft<Volume>, { podName }: VolumeContext): string => `${podName}-${name}`;

/** Sources that errors name differently if the volume has another source already. */
const namesOfOthers: ReadonlyMap<string, string> = new Map([
  ['cephfs', 'cephFS'],
  ['downwardAPI', 'downwarAPI'],
]);

/** Errors use a shorter name for this provider's disk. */
function* checkDisk({ gcePersistentDisk: disk }: Draft<Volume>, path: string, { names }: VolumeContext): FieldErrors {
  if (disk) yield* volumeSources.gcePersistentDisk(disk, `${path}.persistentDisk`, names);
}

/** A volume has exactly one source. */
function* checkSource(volume: Draft<Volume>, path: string, context: VolumeContext): FieldErrors {
  const found = setFields(volume, path, volumeSources, context.names);
  for (const [i, { field, errors }] of found.entries()) {
    if (i > 0)
      yield forbidden(`${path}.${namesOfOthers.get(field) ?? field}`, 'may not specify more than 1 volume type');
    else if (field === 'gcePersistentDisk') yield* checkDisk(volume, path, context);
    else yield* errors;
    if (field === 'iscsi') yield* checkPortalLength(volume, path);
    if (field === 'ephemeral') yield* checkClaimName(volume, path, context);
  }
  if (found.length === 0) yield required(path, 'must specify a volume type');
}

const maxPortal = 64;

function* checkPortalLength({ name = '', iscsi = {} }: Draft<Volume>, path: string): FieldErrors {
  const { initiatorName, targetPortal = '' } = iscsi;
  if (initiatorName === undefined || `${name}:${targetPortal}`.length <= maxPortal) return;
  const problem =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  yield invalidValue(`${path}.name`, name, problem);
}

function* checkClaimName(volume: Draft<Volume>, path: string, context: VolumeContext): FieldErrors {
  const { name = '' } = volume;
  if (context.podName === '' || name === '') return;
  const claim = claimName(volume, context);
  for (const problem of dns1123Subdomain(claim)) {
    yield invalidValue(`${path}.name`, name, `PVC name ${quote(claim)}: ${problem}`);
  }
}

/** The valid volumes of a pod by name. */
export type Volumes = ReadonlyMap<string, Draft<Volume>>;

const propagations = ['Bidirectional', 'HostToContainer', 'None'] as const;

/** Checks the mounts of a container. */
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
    yield* checkRecursion(mount, `${list}.recursiveReadOnly`);
  }
}

/** A mount has at most one sub path. Errors about the paths name the list. */
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

const recursions = ['Disabled', 'Enabled', 'IfPossible'] as const;

/** Mounts within a mount can be read-only only if it is read-only itself and gets no later mounts. */
function* checkRecursion(mount: Draft<VolumeMount>, path: string): FieldErrors {
  const { recursiveReadOnly: mode, readOnly, mountPropagation = 'None' } = mount;
  yield* checkOneOf(mode, path, recursions);
  if (mode !== 'Enabled' && mode !== 'IfPossible') return;
  if (!readOnly) yield forbidden(path, 'may only be specified when readOnly is true');
  if (mountPropagation !== 'None') {
    yield forbidden(path, 'may only be specified when mountPropagation is None or not specified');
  }
}

/** Checks the devices of a container. */
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
