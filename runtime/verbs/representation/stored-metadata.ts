/** The metadata of objects as compact JSON, cut out of the stored bytes. */
import { behindValue } from '../../codec/json-scan.js';
import type { Entry } from '../../contract/index.js';
import type { ServedResource } from '../../pipeline/served-resource.js';
import { isRewritten } from '../../pipeline/versions/versions.js';
import type { Representation } from './representation.js';

/**
 * The form of metadata alone in compact JSON, made without decoding objects that are sent as they are stored. Informers
 * that need no more than metadata watch every kind in this form, so each write costs as much.
 */
export function cutMetadata(form: Representation, apiVersion: string): Representation {
  const head = Buffer.from(`{"kind":"PartialObjectMetadata","apiVersion":${JSON.stringify(apiVersion)},"metadata":`);
  const cut = (resource: ServedResource, entry: Entry): Uint8Array | undefined => {
    const metadata = storedMetadata(resource, entry);
    return metadata && Buffer.concat([head, metadata, end]);
  };
  return {
    ...form,
    entry: (resource, entry) => cut(resource, entry) ?? form.entry(resource, entry),
    event: (resource, entry, first) => cut(resource, entry) ?? form.event(resource, entry, first),
  };
}

const end = Buffer.from('}');
const key = '"metadata":';

/** The stored bytes of `metadata`; `undefined` where something else than these is to be sent. */
function storedMetadata(resource: ServedResource, entry: Entry): Uint8Array | undefined {
  if (resource !== resource.stored || isRewritten(resource, entry)) return undefined;
  const { bytes } = entry;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = resource.envelopeLength + key.length;
  return text.subarray(start, behindValue(text, start));
}
