/** Finds the PEM blocks of a text (RFC 7468). Accepts the same text around them as the reference. */

/** One block: the text from `-----BEGIN <type>-----` up to its end line. */
export interface PemBlock {
  readonly type: string;
  /** Whether lines of the form `Key: value` come before the data (RFC 1421). */
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

const begin = '-----BEGIN ';
const end = '-----END ';
const dashes = '-----';

/**
 * Returns the blocks of a text in order. Skips other text and broken blocks. Takes linear time, because it searches for
 * each mark once.
 */
export function pemBlocks(bytes: Uint8Array): readonly PemBlock[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const blocks: PemBlock[] = [];
  let last = -1;
  for (let first = lineWith(text, begin, 0); first !== -1; ) {
    const { type, data } = readHead(text, first);
    const following = lineWith(text, begin, data);
    if (last < data) last = lineWith(text, end, data);
    if (last === -1) break;
    // A block is broken if another block begins inside it.
    const broken = type === undefined || (following !== -1 && following < last);
    const content = broken || !endsWith(text, last, type) ? undefined : decodeBase64(text.slice(data, last));
    if (content) blocks.push({ type: type ?? '', hasHeaders: data > lineEnd(text, first), bytes: content });
    first = following;
  }
  return blocks;
}

/** Returns the start of the next line that begins with a mark, or -1 if there is none. */
function lineWith(text: string, mark: string, from: number): number {
  if (text.startsWith(mark, from) && (from === 0 || text[from - 1] === '\n')) return from;
  const before = text.indexOf(`\n${mark}`, Math.max(from - 1, 0));
  return before === -1 ? -1 : before + 1;
}

/** Returns the end of the line at a position, after its line break. */
function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline === -1 ? text.length : newline + 1;
}

/** Reads the first line of a block and its headers. The type is absent if the line is not a first line. */
function readHead(text: string, first: number): { readonly type?: string; readonly data: number } {
  let data = lineEnd(text, first);
  const line = text.slice(first, data).trimEnd();
  if (!line.endsWith(dashes)) return { data };
  for (let next = lineEnd(text, data); data < text.length; next = lineEnd(text, data)) {
    if (!text.slice(data, next).includes(':')) break;
    data = next;
  }
  return { type: line.slice(begin.length, -dashes.length), data };
}

/** Returns whether the line at a position is the end line of a block of this type, with nothing else in it. */
function endsWith(text: string, last: number, type: string): boolean {
  return text.slice(last, lineEnd(text, last)).trimEnd() === `${end}${type}${dashes}`;
}

/**
 * Decodes base64 with padding (RFC 4648 section 4). Ignores blanks and line breaks. Returns `undefined` for other
 * texts.
 */
function decodeBase64(text: string): Uint8Array | undefined {
  const digits = text.replace(/[ \t\r\n]/g, '');
  if (digits.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(digits)) return undefined;
  return Buffer.from(digits, 'base64');
}
