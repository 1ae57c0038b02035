/** Parses the binary format of COPY. It has bodies unchanged. */

/** The fields of a row; `undefined` is NULL. */
export type Row = readonly (Buffer | undefined)[];

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const NOTHING = Buffer.alloc(0);

export class CopiedRows {
  #rest = NOTHING;
  #begun = false;

  /** Returns the rows that a chunk completes. They do not share its memory, because the client reuses that. */
  take(chunk: Buffer): readonly Row[] {
    let bytes = Buffer.concat([this.#rest, chunk]);
    if (!this.#begun) {
      const start = startOf(bytes);
      if (start === undefined) {
        this.#rest = bytes;
        return [];
      }
      this.#begun = true;
      bytes = bytes.subarray(start);
    }
    const rows: Row[] = [];
    let at = 0;
    for (;;) {
      const found = rowAt(bytes, at);
      if (!found) break;
      rows.push(found.row);
      at = found.end;
    }
    this.#rest = bytes.subarray(at);
    return rows;
  }
}

/** Returns the index after the header; `undefined` if the header is not complete. */
function startOf(bytes: Buffer): number | undefined {
  const flags = SIGNATURE.length;
  if (bytes.length < flags + 8) return undefined;
  if (!bytes.subarray(0, flags).equals(SIGNATURE)) throw new Error('PostgreSQL has not sent rows');
  const end = flags + 8 + bytes.readInt32BE(flags + 4);
  return bytes.length < end ? undefined : end;
}

function rowAt(bytes: Buffer, start: number): { readonly row: Row; readonly end: number } | undefined {
  if (bytes.length < start + 2) return undefined;
  const count = bytes.readInt16BE(start);
  // The mark of the end.
  if (count < 0) return undefined;
  const row: (Buffer | undefined)[] = [];
  let at = start + 2;
  for (let field = 0; field < count; field++) {
    if (bytes.length < at + 4) return undefined;
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) {
      row.push(undefined);
      continue;
    }
    if (bytes.length < at + length) return undefined;
    row.push(bytes.subarray(at, at + length));
    at += length;
  }
  return { row, end: at };
}

/** Reads a `bigint`; 0 for NULL. */
export const toNumber = (field: Buffer | undefined): number =>
  field ? field.readInt32BE(0) * 2 ** 32 + field.readUInt32BE(4) : 0;

export const toText = (field: Buffer | undefined): string => field?.toString() ?? '';

export const toBoolean = (field: Buffer | undefined): boolean => field?.[0] === 1;
