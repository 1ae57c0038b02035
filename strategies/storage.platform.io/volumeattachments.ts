/** VolumeAttachment: which volume is attached to which node, and what the driver reports. */
import { defineVolumeAttachmentHandlers } from '../../generated/storage.platform.io/v1/volumeattachments/handlers.js';
import type { VolumeAttachment } from '../../generated/storage.platform.io/v1/volumeattachments/types.js';
import type {
  VolumeAttachmentSource,
  VolumeAttachmentSpec,
  VolumeAttachmentStatus,
} from '../../generated/types/storage/v1/types.js';
import type { Draft, DraftObject, KindHandlers, UpdateCheck } from '../../runtime/contract/index.js';
import { forbidden, required, tooLong } from '../../runtime/objects/field-error.js';
import { byteLength, dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { checkInlineVolumeSpec } from '../core/persistentvolumes.js';
import { checkRequired, checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { checkDriverName } from '../shared/names.js';
import { roundUpAmounts } from '../shared/resources.js';

const maxMetadataBytes = 256 * 1024;
const maxMessageBytes = 1024;

const updateChecks: readonly UpdateCheck[] = ['metadata', 'fields', 'metadata', 'fields', 'field changes'];

export const defineVolumeAttachments = (names: Naming): KindHandlers =>
  defineVolumeAttachmentHandlers({
    updateChecks,
    subresourceChecks: updateChecks,
    canonicalize: ({ spec }) => roundUpAmounts(spec?.source?.inlineVolumeSpec?.capacity),
    validate: (attachment) => firstErrors(checkAttachment(attachment, names)),
  });

function* checkAttachment(attachment: DraftObject<VolumeAttachment>, names: Naming): FieldErrors {
  const { metadata, spec = {}, status = {} } = attachment;
  yield* checkRequired(spec.attacher, 'spec.attacher');
  yield* checkSource(spec.source ?? {}, 'spec.source', names);
  yield* checkText('spec.nodeName', spec.nodeName ?? '', dns1123Subdomain);
  yield* checkStatus(status);
  // An attachment stored by an earlier version stays valid.
  if (metadata.resourceVersion === undefined) yield* checkNames(spec);
}

/** A volume is either named or written into the attachment. */
function* checkSource(source: Draft<VolumeAttachmentSource>, path: string, names: Naming): FieldErrors {
  const { inlineVolumeSpec: inline, persistentVolumeName: name } = source;
  const rule = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (inline && name !== undefined) yield forbidden(path, rule);
  else if (inline) yield* checkInlineVolumeSpec(inline, `${path}.inlineVolumeSpec`, names);
  else if (name === undefined) yield required(path, rule);
  else if (name === '') yield required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName');
}

/** The names of driver and volume are well-formed. */
function* checkNames({ attacher = '', source }: Draft<VolumeAttachmentSpec>): FieldErrors {
  yield* checkDriverName(attacher, 'spec.attacher');
  const name = source?.persistentVolumeName;
  if (name !== undefined) yield* checkText('spec.source.persistentVolumeName', name, dns1123Subdomain);
}

/** The driver's metadata and messages are limited in size. */
function* checkStatus(status: Draft<VolumeAttachmentStatus>): FieldErrors {
  const metadata = Object.entries(status.attachmentMetadata ?? {});
  const bytes = metadata.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  if (bytes > maxMetadataBytes) yield tooLong('status.attachmentMetadata', maxMetadataBytes);
  for (const key of ['attachError', 'detachError'] as const) {
    const message = status[key]?.message ?? '';
    // As in the reference, the error names the limit of the metadata.
    if (byteLength(message) > maxMessageBytes) yield tooLong(`status.${key}.message`, maxMetadataBytes);
  }
}
