/** Joins the items of long lists into pieces of bounded size, so that nobody holds the whole. */
import type { Entry, JsonObject, JsonValue } from '../../contract/index.js';

/** Lists of no more stored bytes than this are made in one go. */
const smallBytes = 256 * 1024;

/** A piece ends after this many characters. */
const pieceLength = 64 * 1024;

/** A piece ends when items of this many stored bytes have been read for it: reading takes time, however little is shown. */
export const readAtOnce = 1024 * 1024;

/** Whether a list is made in one go. Looks at as many entries as such a list has. */
export function isSmall(entries: readonly Entry[]): boolean {
  let bytes = 0;
  for (const entry of entries) {
    bytes += entry.bytes.length;
    if (bytes > smallBytes) return false;
  }
  return true;
}

/** A list whose items are made one by one. */
export interface ItemizedList {
  /** The list without its items. */
  readonly shell: JsonObject;
  /** The field of the list that has them. */
  readonly field: string;
  readonly entries: readonly Entry[];
  readonly itemOf: (entry: Entry) => JsonObject;
}

/** How a list is written as text. */
export interface ListText {
  readonly whole: (list: JsonObject) => string;
  /** An item as it stands in a list. */
  readonly item: (item: JsonValue) => string;
  readonly between: string;
}

const placeholder = 'the items of the list';

/** Writes a list that has items, the same as it is written whole. */
export function* textPieces({ whole, item, between }: ListText, list: ItemizedList): Generator<Uint8Array> {
  const { shell, field, entries, itemOf } = list;
  // A client can write the placeholder's words into the list's metadata. That stands before the items: the last place counts.
  const frame = whole({ ...shell, [field]: [placeholder] });
  const at = frame.lastIndexOf(item(placeholder));
  let text = frame.slice(0, at);
  let read = 0;
  let before = '';
  for (const entry of entries) {
    text += before + item(itemOf(entry));
    before = between;
    read += entry.bytes.length;
    if (text.length < pieceLength && read < readAtOnce) continue;
    yield Buffer.from(text);
    text = '';
    read = 0;
  }
  yield Buffer.from(text + frame.slice(at + item(placeholder).length));
}
