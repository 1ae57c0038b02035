/** The protobuf form of objects: messages, fields and their numbers, as in `schemas/lock/protobuf.json`. */

/**
 * A field's number and type. The type is `string`, `bytes`, `bool`, `int32`, `int64`, `double`, `json` (bytes that hold
 * JSON) or the id of a message; `repeated …` for lists; `map …` for maps with string keys. The fields of an `inline …`
 * message are fields of the object itself in JSON. `always` marks fields that the encoder writes as zero if they are
 * absent, as the reference does for fields that are not pointers.
 */
export type ProtobufField = readonly [number: number, type: string, presence?: 'always'];

/** Fields by their JSON names. An empty name means the whole value, for lists within lists and maps. */
export type ProtobufMessage = Readonly<Record<string, ProtobufField>>;

export type ProtobufMessages = Readonly<Record<string, ProtobufMessage>>;

/** A kind in one version, with all its messages. */
export interface ProtobufSchema {
  /** Id of the kind's own message, as in `storage.platform.io/v1#/CSIDriver`. */
  readonly message: string;
  /** The messages that only this kind uses. */
  readonly messages: ProtobufMessages;
  /** The messages of the libraries that it uses, if any. */
  readonly libraries?: readonly ProtobufMessages[];
}
