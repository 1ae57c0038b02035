/** How objects are written in protobuf: messages, fields and their numbers, as `schemas/lock/protobuf.json` has them. */

/**
 * A field's number and type. The type is `string`, `bytes`, `bool`, `int32`, `int64`, `double`, `json` (bytes that are
 * JSON) or the id of a message; `repeated …` for lists; `map …` for maps from strings. `inline …` is a message whose
 * fields are the object's own in JSON.
 */
export type ProtobufField = readonly [number: number, type: string];

/** Fields by their names in JSON; an empty name is the whole value, for lists within lists and maps. */
export type ProtobufMessage = Readonly<Record<string, ProtobufField>>;

/** A kind in one version, with all it consists of. */
export interface ProtobufSchema {
  /** Id of the kind's own message, as in `storage.platform.io/v1#/CSIDriver`. */
  readonly message: string;
  readonly messages: Readonly<Record<string, ProtobufMessage>>;
}
