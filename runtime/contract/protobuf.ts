/**
 * How objects are written in protobuf: messages, fields and their numbers, as `schemas/lock/protobuf.json` has them.
 */

/**
 * A field's number and type. The type is `string`, `bytes`, `bool`, `int32`, `int64`, `double`, `json` (bytes that are
 * JSON) or the id of a message; `repeated …` for lists; `map …` for maps from strings. `inline …` is a message whose
 * fields are the object's own in JSON. `always` marks what is written as its zero where the object has none, as for
 * what is no pointer in the reference.
 */
export type ProtobufField = readonly [number: number, type: string, presence?: 'always'];

/** Fields by their names in JSON; an empty name is the whole value, for lists within lists and maps. */
export type ProtobufMessage = Readonly<Record<string, ProtobufField>>;

/** Messages by id. */
export type ProtobufMessages = Readonly<Record<string, ProtobufMessage>>;

/** A kind in one version, with all it consists of. */
export interface ProtobufSchema {
  /** Id of the kind's own message, as in `storage.platform.io/v1#/CSIDriver`. */
  readonly message: string;
  /** Messages that the kind alone consists of. */
  readonly messages: ProtobufMessages;
  /** Those of the libraries that it uses; absent where it uses none. */
  readonly libraries?: readonly ProtobufMessages[];
}
