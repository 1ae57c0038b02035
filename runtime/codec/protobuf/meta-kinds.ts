/** The protobuf form of kinds that every API has: statuses, objects with only metadata, options, discovery. */
import type { JsonObject, ProtobufMessages } from '../../contract/index.js';
import { compileProtobuf, type ProtobufCodec } from './codec.js';
import { listPieces } from './list-pieces.js';

// The field numbers of aggregated discovery. The wire format of release 1.27 defines them for every server.

/** Messages by id. */
export const discoveryMessages: ProtobufMessages = {
  'apidiscovery/v2beta1#/APIGroupDiscoveryList': {
    metadata: [1, 'meta/v1#/ListMeta', 'always'],
    items: [2, 'repeated apidiscovery/v2beta1#/APIGroupDiscovery'],
  },
  'apidiscovery/v2beta1#/APIGroupDiscovery': {
    metadata: [1, 'meta/v1#/ObjectMeta', 'always'],
    versions: [2, 'repeated apidiscovery/v2beta1#/APIVersionDiscovery'],
  },
  'apidiscovery/v2beta1#/APIVersionDiscovery': {
    version: [1, 'string', 'always'],
    resources: [2, 'repeated apidiscovery/v2beta1#/APIResourceDiscovery'],
    freshness: [3, 'string', 'always'],
  },
  'apidiscovery/v2beta1#/APIResourceDiscovery': {
    resource: [1, 'string', 'always'],
    responseKind: [2, 'meta/v1#/GroupVersionKind'],
    scope: [3, 'string', 'always'],
    singularResource: [4, 'string', 'always'],
    verbs: [5, 'repeated string'],
    shortNames: [6, 'repeated string'],
    categories: [7, 'repeated string'],
    subresources: [8, 'repeated apidiscovery/v2beta1#/APISubresourceDiscovery'],
  },
  'apidiscovery/v2beta1#/APISubresourceDiscovery': {
    subresource: [1, 'string', 'always'],
    responseKind: [2, 'meta/v1#/GroupVersionKind'],
    acceptedTypes: [3, 'repeated meta/v1#/GroupVersionKind'],
    verbs: [4, 'repeated string'],
  },
  'meta/v1#/GroupVersionKind': {
    group: [1, 'string', 'always'],
    version: [2, 'string', 'always'],
    kind: [3, 'string', 'always'],
  },
};

const codecs = new Map<string, ProtobufCodec>();

/** Returns the codec of a meta kind by the id of its message. Compiles it at the first use. */
function codecOf(message: string): ProtobufCodec {
  const known = codecs.get(message) ?? compileProtobuf({ message, messages: {}, libraries: [discoveryMessages] });
  codecs.set(message, known);
  return known;
}

/** The packages of kinds that are not in `meta/v1`. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['v1beta1 PartialObjectMetadataList', 'meta/v1beta1'],
  ['v2beta1 APIGroupDiscoveryList', 'apidiscovery/v2beta1'],
]);

/** Encodes an object of a meta kind in its envelope. */
export const encodeMetaKind = (object: JsonObject): Uint8Array => codecOfKind(object).encode(object);

function codecOfKind({ kind, apiVersion }: JsonObject): ProtobufCodec {
  const version = typeof apiVersion === 'string' ? apiVersion.slice(apiVersion.indexOf('/') + 1) : '';
  const library = elsewhere.get(`${version} ${String(kind)}`) ?? 'meta/v1';
  return codecOf(`${library}#/${String(kind)}`);
}

/** Encodes a list of a meta kind piece by piece. `item` returns the items by index; `list` has no items. */
export function metaListPieces(
  list: JsonObject,
  count: number,
  item: (index: number) => JsonObject,
): Generator<Uint8Array> {
  const codec = codecOfKind(list);
  const { items: _items, ...shell } = list;
  const beforeItems = codec.encodeItem({}).length;
  return listPieces({
    apiVersion: String(list.apiVersion),
    kind: String(list.kind),
    head: codec.encodeItem(shell),
    count,
    field: (index) => codec.encodeItem({ items: [item(index)] }).subarray(beforeItems),
  });
}

/** The codec of DeleteOptions, which every resource takes. */
export const deleteOptionsCodec: ProtobufCodec = codecOf('meta/v1#/DeleteOptions');
