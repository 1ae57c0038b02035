/** Representations made from decoded objects: all except the stored JSON. */

import { behindValue } from '../../codec/json.js';
import type { Entry, JsonObject } from '../../contract/index.js';
import type { ResourceNames, ServedResource } from '../../resource/served-resource.js';
import { isRewritten, readAs } from '../../resource/versions.js';
import type { Encoder } from './encoders.js';
import { isSmall, readAtOnce } from './list-segments.js';
import type { ListBytes, Page, Representation } from './representation.js';
import { type ResponseTransform, wholeObjects } from './response-transforms.js';

/** Combines a transform with an encoder. */
export function valueRepresentation(transform: ResponseTransform, encoder: Encoder): Representation {
  return {
    key: `${transform.key} ${encoder.key}`,
    ...(transform.second && { second: transform.second }),
    transforms: transform !== wholeObjects,
    contentType: encoder.contentType,
    streamContentType: encoder.streamContentType,
    entry: (resource, entry) => encoder.encode(transform.object(resource, readAs(resource, entry))),
    object: (resource, object) => encoder.encode(transform.object(resource, object)),
    list: (resource, page) => {
      const { entries } = page;
      const metadata = listMetadata(page);
      if (isSmall(entries)) {
        const objects = entries.map((entry) => readAs(resource, entry));
        return [encoder.encode(transform.list(resource, objects, metadata))];
      }
      const { field, itemOf } = transform.items(resource);
      const shell = transform.list(resource, [], metadata);
      return encoder.pieces({ shell, field, entries, itemOf: (entry) => itemOf(readAs(resource, entry)) });
    },
    bookmark: (resource, revision, annotations) => encoder.encode(transform.bookmark(resource, revision, annotations)),
    event: (resource, entry, first) => encoder.encode(transform.event(resource, readAs(resource, entry), first)),
    status: encoder.encode,
    frame: encoder.frame,
  };
}

export function listMetadata({ revision, continueToken, remainingItemCount }: Page): JsonObject {
  const metadata: JsonObject = revision === 0 ? {} : { resourceVersion: String(revision) };
  if (continueToken !== '') metadata.continue = continueToken;
  if (remainingItemCount !== undefined) metadata.remainingItemCount = remainingItemCount;
  return metadata;
}

/**
 * Returns the form of metadata alone in compact JSON. Cuts the metadata out of stored bytes, without decoding objects.
 * Informers for metadata watch every kind in this form, so every write makes it.
 */
export function cutMetadata(form: Representation, apiVersion: string): Representation {
  const version = JSON.stringify(apiVersion);
  const head = Buffer.from(`{"kind":"PartialObjectMetadata","apiVersion":${version},"metadata":`);
  const cut = (resource: ServedResource, entry: Entry): Uint8Array | undefined => {
    const metadata = storedMetadata(resource, entry);
    return metadata && Buffer.concat([head, metadata, end]);
  };
  const listHead = (page: Page): Buffer =>
    Buffer.from(
      `{"kind":"PartialObjectMetadataList","apiVersion":${version},"metadata":${JSON.stringify(listMetadata(page))},"items":[`,
    );
  const list = (resource: ServedResource, page: Page): ListBytes => {
    const isStored = resource === resource.stored && !page.entries.some((entry) => isRewritten(resource, entry));
    if (!isStored || page.entries.length === 0) return form.list(resource, page);
    return cutPieces(resource, page.entries, listHead(page), head);
  };
  return {
    ...form,
    list,
    entry: (resource, entry) => cut(resource, entry) ?? form.entry(resource, entry),
    event: (resource, entry, first) => cut(resource, entry) ?? form.event(resource, entry, first),
  };
}

/** Yields the pieces of a list of metadata, if all items are in their stored form. Makes each piece on demand. */
function* cutPieces(
  resource: ResourceNames,
  entries: readonly Entry[],
  listHead: Uint8Array,
  itemHead: Uint8Array,
): Generator<Uint8Array> {
  let pieces: Uint8Array[] = [listHead];
  let read = 0;
  for (const [index, entry] of entries.entries()) {
    if (index > 0) pieces.push(comma);
    pieces.push(itemHead, metadataIn(resource, entry), end);
    read += entry.bytes.length;
    if (read < readAtOnce) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    read = 0;
  }
  yield Buffer.concat([...pieces, listEnd]);
}

const [end, comma, listEnd] = [Buffer.from('}'), Buffer.from(','), Buffer.from(']}')];
const key = '"metadata":';

/** Returns the stored bytes of `metadata`, or `undefined` if the object must be converted first. */
function storedMetadata(resource: ServedResource, entry: Entry): Uint8Array | undefined {
  return resource === resource.stored && !isRewritten(resource, entry) ? metadataIn(resource, entry) : undefined;
}

function metadataIn(resource: ResourceNames, { bytes }: Entry): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = resource.envelopeLength + key.length;
  return text.subarray(start, behindValue(text, start));
}
