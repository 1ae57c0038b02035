/** The field numbers that clients have been promised. */
import type { ProtobufField } from '../../runtime/contract/index.js';

/** The promised field numbers of one message. */
export interface LockedMessage {
  readonly fields: ReadonlyMap<string, ProtobufField>;
  /** Fields that are gone; their numbers are never given to others. */
  readonly reserved: readonly ReservedField[];
}

export interface ReservedField {
  readonly name: string;
  readonly number: number;
  readonly type: string;
}

/** Messages by id. */
export type ProtobufLock = ReadonlyMap<string, LockedMessage>;
