/** VolumeAttachment: which volume is attached to which node, and what came of it. */
import type { ApiObject, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { dns1123Subdomain } from '../../runtime/objects/dns-names.js';
import { forbidden, required, tooLong } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { byteLength } from '../../runtime/objects/printing.js';
import { checkInlineVolumeSpec } from '../core/volumes/persistent-volume-spec.js';
import { checkDriverName } from '../shared/driver-name.js';
import { checkPresent, checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { hasAt } from '../shared/reading.js';
import { roundUpAmounts } from '../shared/resource-list.js';

const maxMetadataBytes = 256 * 1024;
const maxMessageBytes = 1024;

export function defineVolumeAttachmentStrategy(names: Naming): Strategy {
  return {
    kind: 'storage.platform.io/VolumeAttachment',
    canonicalize: (attachment) => roundUpAmounts(objectAt(inlineSpec(attachment), 'capacity')),
    validate: (attachment) => firstErrors(checkAttachment(attachment, names)),
  };
}

const sourceOf = (attachment: ApiObject): JsonObject => objectAt(objectAt(attachment, 'spec'), 'source') ?? {};
const inlineSpec = (attachment: ApiObject): JsonObject | undefined =>
  objectAt(sourceOf(attachment), 'inlineVolumeSpec');

/** An attachment that has not been stored yet. */
const isNew = ({ metadata }: ApiObject): boolean => metadata.resourceVersion === undefined;

function* checkAttachment(attachment: ApiObject, names: Naming): FieldErrors {
  const spec = objectAt(attachment, 'spec') ?? {};
  yield* checkPresent(spec, 'attacher', 'spec');
  yield* checkSource(sourceOf(attachment), 'spec.source', names);
  yield* checkText('spec.nodeName', stringAt(spec, 'nodeName'), dns1123Subdomain);
  yield* checkStatus(objectAt(attachment, 'status') ?? {});
  // Attachments of earlier versions stay valid as they are.
  if (isNew(attachment)) yield* checkNames(attachment, spec);
}

function* checkSource(source: JsonObject, path: string, names: Naming): FieldErrors {
  const [inline, named] = [objectAt(source, 'inlineVolumeSpec'), hasAt(source, 'persistentVolumeName')];
  const rule = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (inline && named) yield forbidden(path, rule);
  else if (inline) yield* checkInlineVolumeSpec(inline, `${path}.inlineVolumeSpec`, names);
  else if (!named) yield required(path, rule);
  else if (stringAt(source, 'persistentVolumeName') === '') {
    yield required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName');
  }
}

function* checkNames(attachment: ApiObject, spec: JsonObject): FieldErrors {
  yield* checkDriverName(stringAt(spec, 'attacher'), 'spec.attacher');
  const source = sourceOf(attachment);
  if (!hasAt(source, 'persistentVolumeName')) return;
  yield* checkText('spec.source.persistentVolumeName', stringAt(source, 'persistentVolumeName'), dns1123Subdomain);
}

function* checkStatus(status: JsonObject): FieldErrors {
  const metadata = objectAt(status, 'attachmentMetadata') ?? {};
  const sizes = Object.keys(metadata).map((key) => byteLength(key) + byteLength(stringAt(metadata, key)));
  if (sizes.reduce((sum, size) => sum + size, 0) > maxMetadataBytes) {
    yield tooLong('status.attachmentMetadata', maxMetadataBytes);
  }
  for (const key of ['attachError', 'detachError']) {
    const message = stringAt(objectAt(status, key), 'message');
    // The answer names the limit of the metadata, as clients of the reference know it.
    if (byteLength(message) > maxMessageBytes) yield tooLong(`status.${key}.message`, maxMetadataBytes);
  }
}
