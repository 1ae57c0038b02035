/** Rules of a claim's spec: in claims, and in the templates of claims that are made for pods. */

import type { PersistentVolumeClaim } from '../../generated/core/v1/persistentvolumeclaims/types.js';
import type { PersistentVolume } from '../../generated/core/v1/persistentvolumes/types.js';
import type {
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimTemplate,
  TypedLocalObjectReference,
  TypedObjectReference,
} from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject } from '../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { validateAnnotations, validateLabels } from '../../runtime/objects/metadata-rules.js';
import { dns1123Label, dns1123Subdomain } from '../../runtime/objects/names/dns-names.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { formatQuantity } from '../../runtime/objects/scan/quantity.js';
import { validateLabelSelector } from '../../runtime/objects/selectors/labels.js';
import { checkRequired, checkText, type FieldErrors } from '../shared/field-checks.js';
import { amountsOf } from '../shared/resources.js';

/** A claim's spec as it was decoded. */
export type ClaimSpec = Draft<PersistentVolumeClaimSpec>;

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** A claim inside another object: labels, annotations and spec. */
export function* checkClaimTemplate(template: Draft<PersistentVolumeClaimTemplate>, path: string): FieldErrors {
  yield* checkTemplateMetadata(template, path);
  yield* checkClaimSpec(template.spec ?? {}, `${path}.spec`);
}

/** A template gives the objects made of it labels and annotations only; their names come from elsewhere. */
export function* checkTemplateMetadata(
  { metadata = {} }: Pick<Draft<PersistentVolumeClaimTemplate>, 'metadata'>,
  path: string,
): FieldErrors {
  const { labels = {}, annotations = {}, ...others } = metadata;
  yield* validateAnnotations(annotations, `${path}.metadata.annotations`);
  yield* validateLabels(labels, `${path}.metadata.labels`);
  for (const [key, value] of Object.entries(others)) {
    if (value !== undefined && value !== null) yield forbidden(`${path}.metadata.${key}`, 'cannot be set');
  }
}

/** The spec of a claim at a path. */
export function* checkClaimSpec(spec: ClaimSpec, path: string): FieldErrors {
  const { accessModes: modes = [], selector, resources, storageClassName } = spec;
  if (modes.length === 0) yield required(`${path}.accessModes`, 'at least 1 access mode is required');
  if (selector) yield* validateLabelSelector(selector, `${path}.selector`);
  yield* checkAccessModes(modes, `${path}.accessModes`);
  yield* checkStorage(resources?.requests, `${path}.resources[storage]`);
  if (storageClassName) yield* checkText(`${path}.storageClassName`, storageClassName, dns1123Subdomain);
  yield* checkDataSources(spec, path);
}

/** Access modes are known ones, and the strictest stands alone. */
export function* checkAccessModes(modes: readonly string[], path: string): FieldErrors {
  const single = 'ReadWriteOncePod';
  for (const mode of modes) if (!accessModes.includes(mode)) yield notSupported(path, mode, accessModes);
  if (modes.includes(single) && modes.some((mode) => mode !== single)) {
    yield forbidden(path, 'may not use ReadWriteOncePod with other access modes');
  }
}

/** A claim asks for some storage. */
function* checkStorage(requests: Record<string, string> | undefined, path: string): FieldErrors {
  const size = amountsOf(requests).get('storage');
  if (!size) yield required(path);
  else if (size.digits <= 0n) yield invalidValue(path, formatQuantity(size), 'must be greater than zero');
}

/** The two fields for the data source agree; the older one only knows objects of the same namespace. */
function* checkDataSources({ dataSource, dataSourceRef }: ClaimSpec, path: string): FieldErrors {
  if (dataSource) yield* checkDataSource(dataSource, `${path}.dataSource`);
  if (dataSourceRef) yield* checkDataSource(dataSourceRef, `${path}.dataSourceRef`);
  if (!dataSource || !dataSourceRef) return;
  if (dataSourceRef.namespace) {
    yield invalidValue(path, `${path}.dataSource`, 'may not be specified when dataSourceRef.namespace is specified');
  } else if ((['apiGroup', 'kind', 'name'] as const).some((key) => dataSource[key] !== dataSourceRef[key])) {
    yield invalidValue(path, `${path}.dataSource`, 'must match dataSourceRef');
  }
}

/** A data source has kind and name; claims alone are in the group without a name. */
function* checkDataSource(source: Draft<TypedObjectReference>, path: string): FieldErrors {
  const { apiGroup, kind = '', name, namespace } = source;
  yield* checkRequired(name, `${path}.name`);
  yield* checkRequired(kind, `${path}.kind`);
  if (apiGroup) yield* checkText(`${path}.apiGroup`, apiGroup, dns1123Subdomain);
  else if (kind !== 'PersistentVolumeClaim') {
    yield invalidValue(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  }
  if (namespace) yield* checkText(`${path}.namespace`, namespace, dns1123Label);
}

// The data source of a claim: two fields for one thing, since the older one knows claims and snapshots only.

/** The settings that dropping depends on. */
interface DataSourceContext {
  readonly names: Naming;
  readonly featureEnabled: (gate: string) => boolean;
}

/**
 * Makes both fields of a spec that is about to be stored agree, in place. A kind that the older field cannot name is
 * dropped from it, and so are sources in other namespaces without their gate; an old spec that has a source keeps it.
 */
export function settleDataSources(
  spec: ClaimSpec,
  old: ClaimSpec | undefined,
  { names, featureEnabled }: DataSourceContext,
): void {
  const elsewhere = Boolean(spec.dataSourceRef?.namespace);
  if (elsewhere && !featureEnabled('CrossNamespaceVolumeDataSource') && !old?.dataSourceRef) {
    delete spec.dataSourceRef;
  }
  const kept = old?.dataSource ?? old?.dataSourceRef;
  if (!kept && spec.dataSource && !isClaimOrSnapshot(spec.dataSource, names)) delete spec.dataSource;
  if (featureEnabled('AnyVolumeDataSource')) mirrorDataSources(spec);
}

/** Copies the one field into the other where that is empty; a source in another namespace has no older form. */
export function mirrorDataSources(spec: ClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource && !dataSourceRef) spec.dataSourceRef = { ...dataSource };
  else if (dataSourceRef && !dataSource && !dataSourceRef.namespace) {
    const { namespace: _own, ...local } = dataSourceRef;
    spec.dataSource = local;
  }
}

function isClaimOrSnapshot({ apiGroup, kind }: Draft<TypedLocalObjectReference>, { rename }: Naming): boolean {
  if (!apiGroup) return kind === 'PersistentVolumeClaim';
  return kind === 'VolumeSnapshot' && apiGroup === rename('snapshot.storage.platform.io');
}

/** A volume, or a claim of one. */
export type VolumeOrClaim = DraftObject<PersistentVolume> | DraftObject<PersistentVolumeClaim>;

/** The size in a `capacity`; `0` where none is given. */
export function sizeText(capacity: Record<string, string> | undefined): string {
  const size = amountsOf(capacity).get('storage');
  return size === undefined ? '0' : formatQuantity(size);
}

/** The phase, unless the object is being deleted. */
export const phaseText = ({ metadata, status }: VolumeOrClaim): string =>
  metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating';

/** The volume mode: a file system, or a raw device. */
export const volumeModeText = ({ spec }: VolumeOrClaim): string => spec?.volumeMode ?? '<unset>';

/** The annotation that names a class. */
export const classAnnotation = ({ rename }: Naming): string => rename('volume.beta.platform.io/storage-class');

/** The class that counts: the annotation's where there is one. */
export function classOf({ metadata: { annotations }, spec }: VolumeOrClaim, names: Naming): string {
  const key = classAnnotation(names);
  if (annotations && Object.hasOwn(annotations, key)) return annotations[key] ?? '';
  return spec?.storageClassName ?? '';
}

const shortForms = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

/** The modes as tables show them: `RWO,ROX`. */
export const accessModesText = (modes: readonly string[] = []): string =>
  shortForms.flatMap(([mode, short]) => (modes.includes(mode) ? [short] : [])).join(',');
