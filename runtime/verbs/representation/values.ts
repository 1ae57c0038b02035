/** Forms that are made of decoded objects: whatever is not the stored JSON as it is. */
import type { JsonObject } from '../../contract/index.js';
import { readAs } from '../../pipeline/versions/versions.js';
import type { Encoder } from './encoders.js';
import type { Page, Representation } from './negotiate.js';
import { type Form, wholeForm } from './response-transforms.js';

/** A form, written by an encoder. */
export function valueRepresentation(form: Form, encoder: Encoder): Representation {
  return {
    key: `${form.key} ${encoder.key}`,
    ...(form.second && { second: form.second }),
    transforms: form !== wholeForm,
    contentType: encoder.contentType,
    streamContentType: encoder.streamContentType,
    entry: (resource, entry) => encoder.encode(form.object(resource, readAs(resource, entry))),
    object: (resource, object) => encoder.encode(form.object(resource, object)),
    list: (resource, page) => {
      const objects = page.entries.map((entry) => readAs(resource, entry));
      return [encoder.encode(form.list(resource, objects, listMetadata(page)))];
    },
    bookmark: (resource, revision, annotations) => encoder.encode(form.bookmark(resource, revision, annotations)),
    event: (resource, entry, first) => encoder.encode(form.event(resource, readAs(resource, entry), first)),
    status: encoder.encode,
    frame: encoder.frame,
  };
}

/** What a list says of itself. */
export function listMetadata({ revision, continueToken, remainingItemCount }: Page): JsonObject {
  const metadata: JsonObject = revision === 0 ? {} : { resourceVersion: String(revision) };
  if (continueToken !== '') metadata.continue = continueToken;
  if (remainingItemCount !== undefined) metadata.remainingItemCount = remainingItemCount;
  return metadata;
}
