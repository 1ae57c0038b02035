/** Rules for volumes put together of several sources, and for files about the pod itself. */
import type {
  DownwardAPIProjection,
  DownwardAPIVolumeFile,
  ProjectedVolumeSource,
  SecretProjection,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue, required } from '../../../runtime/objects/field-error.js';
import { checkRequired, type FieldErrors } from '../../shared/field-checks.js';
import { type FieldChecks, setFields } from '../../shared/field-choice.js';
import { checkFilePath, checkKeyToPath, checkMode } from '../../shared/paths.js';
import { checkFieldSelector, checkResourceSelector, fileFields } from './downward-fields.js';

/** A file with a field of the pod, or with a resource of one of its containers. */
export function* checkDownwardFile(file: Draft<DownwardAPIVolumeFile>, path: string): FieldErrors {
  const { fieldRef: field, resourceFieldRef: resource } = file;
  yield* checkRequired(file.path, `${path}.path`);
  yield* checkFilePath(`${path}.path`, file.path ?? '');
  if (field) {
    yield* checkFieldSelector(field, `${path}.fieldRef`, fileFields);
    if (resource) {
      yield invalidValue(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
    }
  } else if (resource) yield* checkResourceSelector(resource, `${path}.resourceFieldRef`, true);
  else yield required(path, 'one of fieldRef and resourceFieldRef is required');
  yield* checkMode(file.mode, `${path}.mode`);
}

/** The path of a volume, and the paths of its files that are taken. */
type VolumeFiles = readonly [volume: string, taken: Set<string>];

const projections: FieldChecks<Draft<VolumeProjection>, VolumeFiles> = {
  secret: checkKeys,
  configMap: checkKeys,
  downwardAPI: checkDownward,
  serviceAccountToken: checkToken,
};

/** A volume of several sources, which may not have files in the same place. */
export function* checkProjected(volume: Draft<ProjectedVolumeSource>, path: string): FieldErrors {
  yield* checkMode(volume.defaultMode, `${path}.defaultMode`);
  const taken = new Set<string>();
  for (const [i, source] of (volume.sources ?? []).entries()) {
    const at = `${path}.sources[${i}]`;
    const set = [...setFields(source, at, projections, path, taken)];
    for (const { errors } of set) yield* errors;
    if (set.length > 1) yield forbidden(at, 'may not specify more than 1 volume type');
  }
}

function* checkKeys(source: Draft<SecretProjection>, path: string, ...files: VolumeFiles): FieldErrors {
  yield* checkRequired(source.name, `${path}.name`);
  for (const [i, item] of (source.items ?? []).entries()) {
    yield* checkKeyToPath(item, `${path}.items[${i}]`);
    yield* checkPlace(item.path, source.name ?? '', ...files);
  }
}

function* checkDownward(source: Draft<DownwardAPIProjection>, path: string, ...files: VolumeFiles): FieldErrors {
  for (const file of source.items ?? []) {
    yield* checkDownwardFile(file, path);
    yield* checkPlace(file.path, file.path ?? '', ...files);
  }
}

function* checkPlace(place = '', shown: string, ...[volume, taken]: VolumeFiles): FieldErrors {
  if (place === '') return;
  if (taken.has(place)) yield invalidValue(volume, shown, 'conflicting duplicate paths');
  taken.add(place);
}

const shortestLife = 10 * 60;
const longestLife = 2 ** 32;

function* checkToken(source: Draft<ServiceAccountTokenProjection>, path: string, volume: string): FieldErrors {
  const { expirationSeconds: seconds = 0 } = source;
  const at = `${path}.expirationSeconds`;
  if (seconds < shortestLife) yield invalidValue(at, seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > longestLife) yield invalidValue(at, seconds, 'may not specify a duration larger than 2^32 seconds');
  // As in the reference, the path is looked for in the volume, and may be any.
  yield* checkRequired(source.path, `${volume}.path`);
}
