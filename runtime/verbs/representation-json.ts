/** Objects and lists as compact JSON: the bytes that are stored, sent as they are. */
import { encodeJson } from '../codec/json.js';
import type { ApiObject, Entry } from '../contract/index.js';
import { encodeAnswer } from '../pipeline/encoding.js';
import type { ServedResource } from '../pipeline/served-resource.js';
import { readAs } from '../pipeline/versions.js';
import { objectBookmark } from './forms.js';
import type { Page, Representation } from './representation.js';
import { Slabs } from './slabs.js';

/** Compact JSON. */
export const jsonRepresentation: Representation = {
  key: 'json',
  contentType: 'application/json',
  streamContentType: 'application/json',
  entry: entryBytes,
  object: (resource: ServedResource, object: ApiObject) => Buffer.from(encodeAnswer(resource, object)),
  list: listBytes,
  event: entryBytes,
  bookmark: ({ module, apiVersion }, revision, annotations) =>
    Buffer.from(encodeJson(objectBookmark(module.names.kind, apiVersion, revision, annotations))),
};

/** The stored bytes, or those of another version of the object. */
export function entryBytes(resource: ServedResource, entry: Entry): Uint8Array {
  if (resource === resource.stored) return entry.bytes;
  return Buffer.from(encodeAnswer(resource, readAs(resource, entry)));
}

const openBrace = Buffer.from('{');
const separator = Buffer.from(',');
const end = Buffer.from(']}');

/**
 * Joins the stored bytes of a list into large chunks: one copy per object and no encoding. Items of typed kinds leave
 * out `kind` and `apiVersion`, which are the same number of bytes at the front of each.
 */
function listBytes(resource: ServedResource, page: Page): readonly Uint8Array[] {
  const slabs = new Slabs();
  slabs.add(Buffer.from(listHead(resource, page)));
  const skip = resource.module.decoding === 'typed' ? resource.envelopeLength : 0;
  let first = true;
  for (const entry of page.entries) {
    if (!first) slabs.add(separator);
    first = false;
    const bytes = entryBytes(resource, entry);
    if (skip > 0) slabs.add(openBrace);
    slabs.add(skip > 0 ? bytes.subarray(skip) : bytes);
  }
  slabs.add(end);
  return slabs.chunks();
}

function listHead({ module, apiVersion }: ServedResource, page: Page): string {
  let metadata = `"resourceVersion":"${page.revision}"`;
  if (page.continueToken !== '') metadata += `,"continue":${JSON.stringify(page.continueToken)}`;
  if (page.remainingItemCount !== undefined) metadata += `,"remainingItemCount":${page.remainingItemCount}`;
  const kind = JSON.stringify(module.names.listKind);
  return `{"kind":${kind},"apiVersion":${JSON.stringify(apiVersion)},"metadata":{${metadata}},"items":[`;
}
