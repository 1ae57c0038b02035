/** The protobuf form of kinds that every API has: statuses, metadata alone, options, discovery. */
import type { JsonObject } from '../../contract/index.js';
import { compileProtobuf, type ProtobufCodec } from './codec.js';
import { discoveryMessages } from './discovery-messages.js';

const codecs = new Map<string, ProtobufCodec>();

/** The codec of a message of the meta kinds by its id, compiled when it is first asked for. */
function codecOf(message: string): ProtobufCodec {
  const known = codecs.get(message) ?? compileProtobuf({ message, messages: {}, libraries: [discoveryMessages] });
  codecs.set(message, known);
  return known;
}

/** Where the messages of kinds are that are not in `meta/v1`. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['v1beta1 PartialObjectMetadataList', 'meta/v1beta1'],
  ['v2beta1 APIGroupDiscoveryList', 'apidiscovery/v2beta1'],
]);

/** An object of such a kind in its envelope. */
export function encodeMetaKind(object: JsonObject): Uint8Array {
  const { kind, apiVersion } = object;
  const version = typeof apiVersion === 'string' ? apiVersion.slice(apiVersion.indexOf('/') + 1) : '';
  const library = elsewhere.get(`${version} ${String(kind)}`) ?? 'meta/v1';
  return codecOf(`${library}#/${String(kind)}`).encode(object);
}

/** The codec of DeleteOptions, which every resource takes. */
export const deleteOptionsCodec: ProtobufCodec = codecOf('meta/v1#/DeleteOptions');
