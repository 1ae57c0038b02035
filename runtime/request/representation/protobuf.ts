/** Objects, lists and watch events in protobuf. */
import {
  encodeProtobufList,
  encodeProtobufObject,
  type ProtobufCodec,
  protobufListPieces,
} from '../../codec/protobuf/codec.js';
import type { Entry } from '../../contract/index.js';
import type { ResourceNames, ServedResource, VersionCode } from '../../resource/served-resource.js';
import { readAs } from '../../resource/versions.js';
import { encoderFor } from './encoders.js';
import { isSmall } from './list-segments.js';
import type { Representation } from './representation.js';
import { objectBookmark } from './response-transforms.js';
import { listMetadata } from './values.js';

interface Item {
  readonly resource: ServedResource;
  readonly bytes: Uint8Array;
}

/** Keeps items by their entries, and drops the least recently used first. */
export class EncodedItems {
  readonly #kept = new Map<Entry, Item>();
  readonly #maxBytes: number;
  readonly #encode: (resource: ServedResource, entry: Entry) => Uint8Array;
  #bytes = 0;

  /** `maxBytes` is the most memory for items. */
  constructor(maxBytes: number, encode: (resource: ServedResource, entry: Entry) => Uint8Array) {
    this.#maxBytes = maxBytes;
    this.#encode = encode;
  }

  /** The bytes of all kept items. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the message of an entry's object in the version of the resource if it is kept. */
  kept(resource: ResourceNames, entry: Entry): Uint8Array | undefined {
    const known = this.#kept.get(entry);
    if (known?.resource !== resource) return undefined;
    this.#kept.delete(entry);
    this.#kept.set(entry, known);
    return known.bytes;
  }

  /** Returns the message of an entry's object in the version of the resource, and keeps it. */
  of(resource: ServedResource, entry: Entry): Uint8Array {
    const kept = this.kept(resource, entry);
    if (kept !== undefined) return kept;
    const other = this.#kept.get(entry);
    if (other !== undefined) this.#drop(entry, other);
    const bytes = exactly(this.#encode(resource, entry));
    this.#kept.set(entry, { resource, bytes });
    this.#bytes += bytes.length;
    for (const [oldest, item] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest, item);
    }
    return bytes;
  }

  #drop(entry: Entry, item: Item): void {
    this.#kept.delete(entry);
    this.#bytes -= item.bytes.length;
  }
}

/** Copies bytes, because an encoder returns a part of a larger buffer, which would stay in memory too. */
function exactly(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}

/** The memory for encoded items, over all resources. */
const keptItemBytes = 32 * 1024 * 1024;

const nothing = new Uint8Array(0);

const items = new EncodedItems(keptItemBytes, (resource, entry) =>
  codecOf(resource).encodeItem(readAs(resource, entry)),
);

/** Makes the protobuf representation under the served media type, for resources that have a codec. */
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
 * Puts the message of a list item into an envelope, or encodes the object. Does not keep the result: this costs 11 µs,
 * half as much as encoding a pod, and is useless for objects that are only written.
 */
function entryBytes(resource: ServedResource, entry: Entry): Uint8Array {
  const kept = items.kept(resource, entry);
  if (kept === undefined) return codecOf(resource).encode(readAs(resource, entry));
  return encodeProtobufObject(resource.apiVersion, resource.module.names.kind, kept);
}

/** Returns the codec of a resource. Protobuf is only negotiated if there is one. */
function codecOf({ protobuf, groupResource }: ResourceNames & VersionCode): ProtobufCodec {
  if (protobuf === undefined) throw new Error(`${groupResource} has no protobuf form`);
  return protobuf;
}
