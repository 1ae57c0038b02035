/** VolumeAttachment: which volume is attached where, and bounds of what is told about it. */
import type { ApiObject, JsonObject, Strategy } from '../runtime/contract/index.js';
import { dns1123Subdomain } from '../runtime/objects/dns-names.js';
import { forbidden, required, tooLong } from '../runtime/objects/field-error.js';
import { isString, objectAt, stringAt } from '../runtime/objects/guards.js';
import type { Naming } from '../runtime/objects/naming.js';
import { byteLength } from '../runtime/objects/printing.js';
import { checkDriverName } from './parts/driver-name.js';
import { checkText, type FieldErrors, firstErrors, hasAt } from './parts/field-checks.js';
import { checkVolumeSpec } from './parts/volume-spec.js';

const maxMetadataBytes = 256 * 1024;
const maxMessageBytes = 1024;

export function defineVolumeAttachmentStrategy(names: Naming): Strategy {
  return {
    kind: 'storage.platform.io/VolumeAttachment',
    validate: (object) => firstErrors(checkAttachment(object, names)),
  };
}

function* checkAttachment(object: ApiObject, names: Naming): FieldErrors {
  const spec = objectAt(object, 'spec') ?? {};
  const attacher = stringAt(spec, 'attacher');
  const source = objectAt(spec, 'source') ?? {};
  if (attacher === '') yield required('spec.attacher');
  yield* checkSource(source, 'spec.source', names);
  yield* checkText('spec.nodeName', stringAt(spec, 'nodeName'), dns1123Subdomain);
  yield* checkStatus(objectAt(object, 'status') ?? {});
  yield* checkDriverName(attacher, 'spec.attacher');
  if (hasAt(source, 'persistentVolumeName')) {
    yield* checkText('spec.source.persistentVolumeName', stringAt(source, 'persistentVolumeName'), dns1123Subdomain);
  }
}

function* checkSource(source: JsonObject, path: string, names: Naming): FieldErrors {
  const inline = objectAt(source, 'inlineVolumeSpec');
  const isNamed = hasAt(source, 'persistentVolumeName');
  const rule = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (!inline && !isNamed) yield required(path, rule);
  else if (inline && isNamed) yield forbidden(path, rule);
  else if (inline) yield* checkVolumeSpec(inline, `${path}.inlineVolumeSpec`, names, true);
  else if (stringAt(source, 'persistentVolumeName') === '') {
    yield required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName');
  }
}

function* checkStatus(status: JsonObject): FieldErrors {
  const metadata = Object.entries(objectAt(status, 'attachmentMetadata') ?? {});
  const bytes = metadata.reduce(
    (sum, [key, value]) => sum + byteLength(key) + (isString(value) ? byteLength(value) : 0),
    0,
  );
  if (bytes > maxMetadataBytes) yield tooLong('status.attachmentMetadata', maxMetadataBytes);
  for (const key of ['attachError', 'detachError']) {
    const message = stringAt(objectAt(status, key), 'message');
    // The bound that is told is another than the one that is kept, as clients know it.
    if (byteLength(message) > maxMessageBytes) yield tooLong(`status.${key}.message`, maxMetadataBytes);
  }
}
