/** An image: all objects that a new server creates. Servers that start from it need not create them again. */
import { randomUUID } from 'node:crypto';
import type { Checkpoint } from '../runtime/contract/index.js';

/** One object of an image. */
export interface ImageRecord {
  readonly key: string;
  readonly revision: number;
  /** The stored JSON. */
  readonly text: string;
}

export interface Image {
  readonly checkpoint: Pick<Checkpoint, 'revision' | 'digest'>;
  readonly records: readonly ImageRecord[];
}

/** The time in an image. Servers that start from the image replace it. */
export const imageTime = '2001-02-03T04:05:06Z';
const imageDay = imageTime.slice(0, 10);

const uid = /"uid":"[0-9a-f-]{36}"/;

/** Returns the objects with another creation time, and with new uids. */
export function freshRecords({ records }: Image, at: Date): readonly ImageRecord[] {
  const time = `${at.toISOString().slice(0, 19)}Z`;
  const day = time.slice(0, 10);
  return records.map(({ text, ...record }) => ({
    ...record,
    text: text
      .replaceAll(imageTime, time)
      .replaceAll(imageDay, day)
      .replace(uid, () => `"uid":"${randomUUID()}"`),
  }));
}
