/** The spec of a claim, in claims and in claim templates of pods, and what tables show of claims and volumes. */

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
import { validateAnnotations, validateLabels } from '../../runtime/objects/names/metadata-rules.js';
import { dns1123Label, dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { formatQuantity } from '../../runtime/objects/scan/quantity.js';
import { validateLabelSelector } from '../../runtime/objects/selectors/labels.js';
import { checkRequired, checkText, type FieldErrors } from '../shared/field-checks.js';
import { amountsOf } from '../shared/resources.js';

export type ClaimSpec = Draft<PersistentVolumeClaimSpec>;

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Checks a claim template: labels, annotations and spec. */
export function* checkClaimTemplate(template: Draft<PersistentVolumeClaimTemplate>, path: string): FieldErrors {
  yield* checkTemplateMetadata(template, path);
  yield* checkClaimSpec(template.spec ?? {}, `${path}.spec`);
}

/** The metadata of a template has only labels and annotations; names come from elsewhere. */
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

/** Checks the spec of a claim. */
export function* checkClaimSpec(spec: ClaimSpec, path: string): FieldErrors {
  const { accessModes: modes = [], selector, resources, storageClassName } = spec;
  if (modes.length === 0) yield required(`${path}.accessModes`, 'at least 1 access mode is required');
  if (selector) yield* validateLabelSelector(selector, `${path}.selector`);
  yield* checkAccessModes(modes, `${path}.accessModes`);
  yield* checkStorage(resources?.requests, `${path}.resources[storage]`);
  if (storageClassName) yield* checkText(`${path}.storageClassName`, storageClassName, dns1123Subdomain);
  yield* checkDataSources(spec, path);
  const { volumeAttributesClassName: attributes } = spec;
  if (attributes) yield* checkText(`${path}.volumeAttributesClassName`, attributes, dns1123Subdomain);
}

/** Access modes are known, and the strictest one excludes the others. */
export function* checkAccessModes(modes: readonly string[], path: string): FieldErrors {
  const single = 'ReadWriteOncePod';
  for (const mode of modes) if (!accessModes.includes(mode)) yield notSupported(path, mode, accessModes);
  if (modes.includes(single) && modes.some((mode) => mode !== single)) {
    yield forbidden(path, 'may not use ReadWriteOncePod with other access modes');
  }
}

/** A claim requests some storage. */
function* checkStorage(requests: Record<string, string> | undefined, path: string): FieldErrors {
  const size = amountsOf(requests).get('storage');
  if (!size) yield required(path);
  else if (size.digits <= 0n) yield invalidValue(path, formatQuantity(size), 'must be greater than zero');
}

/** Both fields of the data source agree. The older one knows only objects of the same namespace. */
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

/** A data source has a kind and a name. Only claims have an empty group. */
function* checkDataSource(source: Draft<TypedObjectReference>, path: string): FieldErrors {
  const { apiGroup, kind = '', name, namespace } = source;
  yield* checkRequired(name, `${path}.name`);
  yield* checkRequired(kind, `${path}.kind`);
  if (!apiGroup && kind !== 'PersistentVolumeClaim') {
    yield invalidValue(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  }
  if (namespace) yield* checkText(`${path}.namespace`, namespace, dns1123Label);
}

// The data source of a claim has two fields, because the older one knows only claims and snapshots.

interface DataSourceContext {
  readonly names: Naming;
  readonly featureEnabled: (gate: string) => boolean;
}

/**
 * Makes both fields agree before storing, in place. Drops kinds that the older field cannot name, and sources in other
 * namespaces without their feature gate. Keeps a source that the stored spec has.
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

/** Drops the claims of devices, which only containers can have. Volumes once shared their type. */
export function dropDeviceClaims(spec: ClaimSpec | undefined): void {
  if (spec?.resources) delete spec.resources.claims;
}

/** Copies one field into the other if that is empty. A source in another namespace has no older form. */
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

export type VolumeOrClaim = DraftObject<PersistentVolume> | DraftObject<PersistentVolumeClaim>;

/** Prints a capacity; `0` if it is missing. */
export function sizeText(capacity: Record<string, string> | undefined): string {
  const size = amountsOf(capacity).get('storage');
  return size === undefined ? '0' : formatQuantity(size);
}

/** Returns the phase, or that the object is being deleted. */
export const phaseText = ({ metadata, status }: VolumeOrClaim): string =>
  metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating';

/** Returns the volume mode: a file system or a raw device. */
export const volumeModeText = ({ spec }: VolumeOrClaim): string => spec?.volumeMode ?? '<unset>';

/** Returns the key of the annotation that names a class. */
export const classAnnotation = ({ rename }: Naming): string => rename('volume.beta.platform.io/storage-class');

/** Returns the class; the annotation wins over the field. */
export function classOf({ metadata: { annotations }, spec }: VolumeOrClaim, names: Naming): string {
  const key = classAnnotation(names);
  if (annotations && Object.hasOwn(annotations, key)) return annotations[key] ?? '';
  return spec?.storageClassName ?? '';
}

/** Warns about the annotation that names a class. */
export function classWarnings({ metadata: { annotations = {} } }: VolumeOrClaim, names: Naming): readonly string[] {
  const key = classAnnotation(names);
  if (!Object.hasOwn(annotations, key)) return [];
  return [`metadata.annotations[${key}]: deprecated since v1.8; use "storageClassName" attribute instead`];
}

const shortForms = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

/** Prints modes as in `RWO,ROX`. */
export const accessModesText = (modes: readonly string[] = []): string =>
  shortForms.flatMap(([mode, short]) => (modes.includes(mode) ? [short] : [])).join(',');
