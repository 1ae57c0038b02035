/** What is asked of a volume: claims, and the claims that are made for pods. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { dns1123Label, dns1123Subdomain } from '../../../runtime/objects/dns-names.js';
import { equal } from '../../../runtime/objects/equality.js';
import { forbidden, invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import { isStringMap, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { validateAnnotations, validateLabels } from '../../../runtime/objects/metadata-rules.js';
import { formatQuantity } from '../../../runtime/objects/quantity.js';
import { validateLabelSelector } from '../../../runtime/objects/selectors/labels.js';
import { checkPresent, checkText, type FieldErrors } from '../../shared/field-checks.js';
import { hasAt, textsAt } from '../../shared/reading.js';
import { amountsAt } from '../../shared/resource-list.js';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'] as const;

/** A claim inside another object: labels, annotations and what is asked. */
export function* checkClaimTemplate(template: JsonObject, path: string): FieldErrors {
  yield* checkTemplateMetadata(template, path);
  yield* checkClaimSpec(objectAt(template, 'spec') ?? {}, `${path}.spec`);
}

/** The metadata of what objects are made of that get their names elsewhere: labels and annotations alone. */
export function* checkTemplateMetadata(template: JsonObject, path: string): FieldErrors {
  const metadata = objectAt(template, 'metadata') ?? {};
  const { labels, annotations } = metadata;
  if (isStringMap(annotations)) yield* validateAnnotations(annotations, `${path}.metadata.annotations`);
  if (isStringMap(labels)) yield* validateLabels(labels, `${path}.metadata.labels`);
  for (const key of Object.keys(metadata)) {
    if (key === 'labels' || key === 'annotations' || !hasAt(metadata, key)) continue;
    yield forbidden(`${path}.metadata.${key}`, 'cannot be set');
  }
}

/** The spec of a claim at a path. */
export function* checkClaimSpec(spec: JsonObject, path: string): FieldErrors {
  const modes = textsAt(spec, 'accessModes');
  if (modes.length === 0) yield required(`${path}.accessModes`, 'at least 1 access mode is required');
  const selector = objectAt(spec, 'selector');
  if (selector) yield* validateLabelSelector(selector, `${path}.selector`);
  yield* checkAccessModes(modes, `${path}.accessModes`);
  yield* checkStorage(spec, `${path}.resources[storage]`);
  const storageClass = stringAt(spec, 'storageClassName');
  if (storageClass !== '') yield* checkText(`${path}.storageClassName`, storageClass, dns1123Subdomain);
  yield* checkDataSources(spec, path);
}

/** Modes of access at the path of their list: known ones, and the strictest of them alone. */
export function* checkAccessModes(modes: readonly string[], path: string): FieldErrors {
  const single = 'ReadWriteOncePod';
  for (const mode of modes) {
    if (!accessModes.some((known) => known === mode)) yield notSupported(path, mode, accessModes);
  }
  if (modes.includes(single) && modes.some((mode) => mode !== single)) {
    yield forbidden(path, 'may not use ReadWriteOncePod with other access modes');
  }
}

function* checkStorage(spec: JsonObject, path: string): FieldErrors {
  const size = amountsAt(objectAt(spec, 'resources'), 'requests').get('storage');
  if (!size) yield required(path);
  else if (size.digits <= 0n) {
    if (size.digits < 0n) yield invalidValue(path, formatQuantity(size), 'must be greater than or equal to 0');
    yield invalidValue(path, formatQuantity(size), 'must be greater than zero');
  }
}

/** What the volume begins with; the older of the two fields only knows objects of the same namespace. */
function* checkDataSources(spec: JsonObject, path: string): FieldErrors {
  for (const key of ['dataSource', 'dataSourceRef']) {
    const source = objectAt(spec, key);
    if (!source) continue;
    yield* checkPresent(source, 'name', `${path}.${key}`);
    yield* checkPresent(source, 'kind', `${path}.${key}`);
    const [group, kind] = [stringAt(source, 'apiGroup'), stringAt(source, 'kind')];
    if (group === '' && kind !== 'PersistentVolumeClaim') {
      yield invalidValue(
        `${path}.${key}`,
        kind,
        "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
      );
    }
    if (group !== '') yield* checkText(`${path}.${key}.apiGroup`, group, dns1123Subdomain);
    const namespace = stringAt(source, 'namespace');
    if (namespace !== '') yield* checkText(`${path}.${key}.namespace`, namespace, dns1123Label);
  }
  const [source, reference] = [objectAt(spec, 'dataSource'), objectAt(spec, 'dataSourceRef')];
  if (!source || !reference) return;
  if (stringAt(reference, 'namespace') !== '') {
    yield invalidValue(path, `${path}.dataSource`, 'may not be specified when dataSourceRef.namespace is specified');
  } else if (!['apiGroup', 'kind', 'name'].every((key) => equal(source[key], reference[key]))) {
    yield invalidValue(path, `${path}.dataSource`, 'must match dataSourceRef');
  }
}
