/** Objects, lists and watch events in protobuf. */
import type { ProtobufCodec } from '../../codec/protobuf/codec.js';
import { encodeProtobufList, encodeProtobufObject, protobufListPieces } from '../../codec/protobuf/codec.js';
import type { Entry } from '../../contract/index.js';
import type { ServedResource } from '../../resource/served-resource.js';
import { readAs } from '../../resource/versions.js';
import { EncodedItems } from './encoded-items.js';
import { encoderFor } from './encoders.js';
import { isSmall } from './pieces.js';
import type { Representation } from './representation.js';
import { objectBookmark } from './response-transforms.js';
import { listMetadata } from './values.js';

/** Memory for encoded items, over all resources. */
const keptItemBytes = 32 * 1024 * 1024;

const nothing = new Uint8Array(0);

const items = new EncodedItems(keptItemBytes, (resource, entry) =>
  codecOf(resource).encodeItem(readAs(resource, entry)),
);

/** Protobuf under the media type that the server's naming gives it; for resources that have a codec. */
export function protobufRepresentation(mediaType: string): Representation {
  const { key, contentType, streamContentType, encode, frame } = encoderFor(mediaType, false);
  return {
    key,
    transforms: false,
    contentType,
    streamContentType,
    entry: entryBytes,
    object: (resource, object) => codecOf(resource).encode(object),
    list: (resource, page) => {
      const { apiVersion, module } = resource;
      const list = { apiVersion, kind: module.names.listKind, metadata: listMetadata(page) };
      const { entries } = page;
      if (isSmall(entries)) {
        const encoded = entries.map((entry) => items.of(resource, entry));
        return [encodeProtobufList(list, encoded)];
      }
      return protobufListPieces(list, entries.length, (index) => {
        const entry = entries[index];
        return entry ? items.of(resource, entry) : nothing;
      });
    },
    event: entryBytes,
    bookmark: (resource, revision, annotations) =>
      codecOf(resource).encode(objectBookmark(resource.module.names.kind, resource.apiVersion, revision, annotations)),
    status: encode,
    frame,
  };
}

/**
 * Puts the message that a list has encoded into an envelope, or else encodes the object. That one is not kept: keeping costs
 * 11 µs, half as much again as encoding a pod, and is lost on objects that are only written.
 */
function entryBytes(resource: ServedResource, entry: Entry): Uint8Array {
  const kept = items.kept(resource, entry);
  if (kept === undefined) return codecOf(resource).encode(readAs(resource, entry));
  return encodeProtobufObject(resource.apiVersion, resource.module.names.kind, kept);
}

/** Protobuf is only negotiated where there is a codec. */
function codecOf({ protobuf, groupResource }: ServedResource): ProtobufCodec {
  if (protobuf === undefined) throw new Error(`${groupResource} has no protobuf form`);
  return protobuf;
}
