/** Forms that are made of decoded objects: whatever is not the stored JSON as it is. */
import type { JsonObject } from '../../contract/index.js';
import { readAs } from '../../resource/versions.js';
import type { Encoder } from './encoders.js';
import { isSmall } from './pieces.js';
import type { Page, Representation } from './representation.js';
import { wholeObjects } from './response-transforms.js';
import type { ResponseTransform } from './transform.js';

/** A transform, written by an encoder. */
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

/** The metadata of a list. */
export function listMetadata({ revision, continueToken, remainingItemCount }: Page): JsonObject {
  const metadata: JsonObject = revision === 0 ? {} : { resourceVersion: String(revision) };
  if (continueToken !== '') metadata.continue = continueToken;
  if (remainingItemCount !== undefined) metadata.remainingItemCount = remainingItemCount;
  return metadata;
}
