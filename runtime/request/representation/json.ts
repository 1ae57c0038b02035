/** Objects and lists as compact JSON: sends the stored bytes unchanged. */
import { encodeJson } from '../../codec/json.js';
import type { ApiObject, Entry } from '../../contract/index.js';
import { encodeAnswer } from '../../resource/encoding.js';
import type { ResourceNames, ServedResource } from '../../resource/served-resource.js';
import { isRewritten, readAs, storedBytes } from '../../resource/versions.js';
import { frameLine } from './frames.js';
import { type ItemBytes, isSmall, ListSegments } from './list-segments.js';
import type { ListBytes, Page, Representation } from './representation.js';
import { objectBookmark } from './response-transforms.js';

/** The largest list that is always copied, in bytes. */
const smallBytes = 64 * 1024;

/** The largest list that is copied after many requests without a change, in bytes. Larger ones never are. */
const largeBytes = 2 * 1024 * 1024;

/** The number of requests that count as many. Compared to these, a copy costs little, even if it is soon outdated. */
const often = 16;

/** The memory for copies of large lists, over all resources. */
const roomForLarge = 8 * 1024 * 1024;

/** The chunks of a list: the bytes of its items, and the bytes before and after. */
type Chunks = readonly Uint8Array[];

/** A list that clients have requested before. */
interface Asked {
  readonly resource: ServedResource;
  readonly page: Page;
  times: number;
  /** The list in one piece; absent if it is not copied. */
  piece?: Chunks;
}

/**
 * Keeps copied lists, by the store's arrays of entries. Until something changes, the same request gets the same bytes.
 * Does not keep lists of a single request, because V8 would need longer to free them than to make them.
 */
export class WholeListCache {
  #asked = new WeakMap<readonly Entry[], Asked>();
  #largeBytes = 0;

  /** Returns the list in one piece, or the chunks that `join` returns. */
  of(resource: ServedResource, page: Page, join: (resource: ServedResource, page: Page) => Chunks): Chunks {
    if (!page.repeated) return joinUpTo(smallBytes, join(resource, page));
    const asked = this.#recall(resource, page);
    if (asked.piece) return asked.piece;
    asked.times++;
    const chunks = joinUpTo(asked.times < often ? smallBytes : largeBytes, join(resource, page));
    if (chunks.length === 1) this.#keep(asked, chunks);
    return chunks;
  }

  /**
   * Returns the record of a list, or a new record. Another page may have the same entries, such as a page at a later
   * revision.
   */
  #recall(resource: ServedResource, page: Page): Asked {
    const known = this.#asked.get(page.entries);
    if (known?.resource === resource && isSame(known.page, page)) return known;
    const asked: Asked = { resource, page, times: 0 };
    this.#asked.set(page.entries, asked);
    return asked;
  }

  /**
   * Keeps a copy. If the room is used up, drops all other copies. Lists that clients still request are copied again.
   */
  #keep(asked: Asked, piece: Chunks): void {
    asked.piece = piece;
    const length = lengthOf(piece);
    if (length <= smallBytes) return;
    this.#largeBytes += length;
    if (this.#largeBytes <= roomForLarge) return;
    this.#largeBytes = length;
    this.#asked = new WeakMap([[asked.page.entries, asked]]);
  }
}

const lengthOf = (chunks: Chunks): number => chunks.reduce((sum, chunk) => sum + chunk.length, 0);

function joinUpTo(most: number, chunks: Chunks): Chunks {
  const length = lengthOf(chunks);
  return length <= most && chunks.length > 1 ? [Buffer.concat(chunks, length)] : chunks;
}

/** Returns whether two pages of the same entries are equal. */
const isSame = (one: Page, other: Page): boolean =>
  one.revision === other.revision &&
  one.continueToken === other.continueToken &&
  one.remainingItemCount === other.remainingItemCount;

export const jsonRepresentation: Representation = {
  key: 'json',
  transforms: false,
  contentType: 'application/json',
  streamContentType: 'application/json',
  entry: entryBytes,
  object: (resource: ServedResource, object: ApiObject) => Buffer.from(encodeAnswer(resource, object)),
  list: listBytes,
  event: entryBytes,
  bookmark: ({ module, apiVersion }, revision, annotations) =>
    Buffer.from(encodeJson(objectBookmark(module.names.kind, apiVersion, revision, annotations))),
  status: (status) => Buffer.from(encodeJson(status)),
  frame: frameLine,
};

/** Returns the stored bytes, or the bytes of another version of the object. */
export function entryBytes(resource: ServedResource, entry: Entry): Uint8Array {
  if (resource === resource.stored) return storedBytes(resource, entry);
  return Buffer.from(encodeAnswer(resource, readAs(resource, entry)));
}

/** The memory for segments of lists, over all resources. */
const segmentBytes = 32 * 1024 * 1024;

const segments = new ListSegments(segmentBytes);

const end = Buffer.from(']}');

const whole = new WholeListCache();

function listBytes(resource: ServedResource, page: Page): ListBytes {
  if (!isSmall(page.entries) && isMade(resource, page)) return madePieces(resource, page);
  return whole.of(resource, page, joinList);
}

/** Checks whether a list has items that must not be sent as they are stored. */
const isMade = (resource: ServedResource, { entries }: Page): boolean =>
  resource !== resource.stored || entries.some((entry) => isRewritten(resource, entry));

/**
 * Converts a list to another version or schema than the stored one, piece by piece, because converting takes time and
 * memory.
 */
function* madePieces(resource: ServedResource, page: Page): Generator<Uint8Array> {
  yield Buffer.from(listHead(resource, page));
  yield* segmentsOf(page).pieces(resource, page.entries, itemBytesOf(resource));
  yield end;
}

const segmentsOf = (page: Page): ListSegments => (page.selected ? new ListSegments(0) : segments);

/**
 * Returns how to read items for a list. Items of typed kinds leave out `kind` and `apiVersion`, which have the same
 * number of bytes in each.
 */
const itemBytesOf = (resource: ResourceNames): ItemBytes => ({
  of: entryBytes,
  skip: resource.module.decoding === 'typed' ? resource.envelopeLength : 0,
});

/** Joins the stored bytes of a list, without encoding. Does not even copy segments that were listed before. */
function joinList(resource: ServedResource, page: Page): readonly Uint8Array[] {
  if (page.entries.length === 0) return [Buffer.from(`${listHead(resource, page)}]}`)];
  const items = segmentsOf(page).join(resource, page.entries, itemBytesOf(resource));
  return [Buffer.from(listHead(resource, page)), ...items, end];
}

function listHead({ module, apiVersion }: ResourceNames, page: Page): string {
  // Lists of custom resources always have a continue token, even an empty one.
  const goesOn = page.continueToken !== '' || module.decoding === 'structural';
  const parts = [
    ...(page.revision === 0 ? [] : [`"resourceVersion":"${page.revision}"`]),
    ...(goesOn ? [`"continue":${JSON.stringify(page.continueToken)}`] : []),
    ...(page.remainingItemCount === undefined ? [] : [`"remainingItemCount":${page.remainingItemCount}`]),
  ];
  const kind = JSON.stringify(module.names.listKind);
  return `{"kind":${kind},"apiVersion":${JSON.stringify(apiVersion)},"metadata":{${parts.join(',')}},"items":[`;
}
