/** The position of an object's last change in its transaction, which lies where its resourceVersion is to be. */
import type { EncodedObject } from '../../contract/index.js';
import { readStamp, stampRevision } from '../stamp.js';
import { POSITIONS } from './numbering.js';

/** The object as etcd holds it. The first position is left out, so that a lone change looks as it always did. */
export function withPosition(object: EncodedObject, position: number): string {
  return position === 0 ? object.text : stampRevision(object, position);
}

/** The position that a stored object names; 0 where it names none. */
export function positionOf(value: Buffer): number {
  const stamp = readStamp(value);
  if (stamp === '') return 0;
  const position = Number(stamp);
  return Number.isInteger(position) && position > 0 && position < POSITIONS ? position : 0;
}
