/** Rules of a claim's spec: in claims, and in the templates of claims that are made for pods. */
import type {
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimTemplate,
  TypedObjectReference,
} from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import { validateAnnotations, validateLabels } from '../../../runtime/objects/metadata-rules.js';
import { dns1123Label, dns1123Subdomain } from '../../../runtime/objects/names/dns-names.js';
import { formatQuantity } from '../../../runtime/objects/scan/quantity.js';
import { validateLabelSelector } from '../../../runtime/objects/selectors/labels.js';
import { checkRequired, checkText, type FieldErrors } from '../../shared/field-checks.js';
import { amountsOf } from '../../shared/resource-list.js';

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
