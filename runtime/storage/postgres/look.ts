/** Reads the head, and an object, after everything that was acknowledged before the call. */
import type { Key, SharedHeads, SharedRecord } from '../../contract/index.js';
import { superseded } from '../shared/errors.js';
import { splitKey } from './columns.js';
import type { Data } from './data.js';
import { micros } from './functions.js';
import { reading } from './session.js';

export async function look(
  data: Data,
  key?: Key,
): Promise<SharedHeads & { readonly found?: SharedRecord | undefined }> {
  const { questions, schema, known, values } = data;
  const object =
    key === undefined
      ? ['', '']
      : [
          ", o.revision, encode(o.body, 'hex')",
          ` LEFT JOIN ${schema}.objects o
            ON o.api_group = $1 AND o.resource = $2 AND o.namespace = $3 AND o.name = $4`,
        ];
  const [row = []] = await questions.query(
    `SELECT h.revision, ${micros('h.at')}, h.epoch, ${known.isLost(schema)}${object[0]} FROM ${schema}.head h${object[1]}`,
    key === undefined ? [] : splitKey(key),
    reading('look'),
  );
  const [number, at, epoch, isLost, revision, body] = row;
  if (epoch !== data.epoch) throw superseded();
  const head = { revision: Number(number), at: Number(at) };
  if (isLost === 't') throw known.lost(head);
  known.note(head);
  const heads = { number: head.revision, head: head.revision };
  if (key === undefined || !revision) return heads;
  const plain = await values.plain(key, Number(revision), Buffer.from(body ?? '', 'hex'));
  return { ...heads, found: { key, revision: Number(revision), ...plain } };
}
