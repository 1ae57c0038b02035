/** Lists in as few pieces as they can be sent in, where copying them costs less than several pieces do. */
import type { Entry } from '../../contract/index.js';
import type { ServedResource } from '../../resource/served-resource.js';
import type { Page } from './representation.js';

/** Lists up to this size are always copied. */
const smallBytes = 64 * 1024;

/**
 * Lists up to this size are copied once they have been asked for often, and nothing has changed since; larger ones
 * never.
 */
const largeBytes = 2 * 1024 * 1024;

/** So often that where something changes right after the copying, that was a small part of the work. */
const often = 16;

/** Memory for copies of large lists, over all resources. */
const roomForLarge = 8 * 1024 * 1024;

/** The chunks of a list, which make the bytes of all its items with what is before and behind them. */
type Chunks = readonly Uint8Array[];

/** A list that was asked for before. */
interface Asked {
  readonly resource: ServedResource;
  readonly page: Page;
  times: number;
  /** The list in one piece, where it is. */
  piece?: Chunks;
}

/**
 * Keeps pieces by the lists that the store keeps: as long as nothing at all changes, who asks the same gets the same
 * bytes. Those of lists that are asked for once are not held: V8 would need more time to find out when they can go
 * than making them takes.
 */
export class WholeListCache {
  #asked = new WeakMap<readonly Entry[], Asked>();
  #largeBytes = 0;

  /** The list in one piece, or the chunks that `join` makes of it. */
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
   * Returns what is known of a list: nothing where it says something else about the same entries, such as a later
   * revision.
   */
  #recall(resource: ServedResource, page: Page): Asked {
    const known = this.#asked.get(page.entries);
    if (known?.resource === resource && isSame(known.page, page)) return known;
    const asked: Asked = { resource, page, times: 0 };
    this.#asked.set(page.entries, asked);
    return asked;
  }

  /** Keeps a piece, and lets all go once there is no room for it: what is still asked for will be copied again. */
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

/** Whether two pages of the same entries say the same about them. */
const isSame = (one: Page, other: Page): boolean =>
  one.revision === other.revision &&
  one.continueToken === other.continueToken &&
  one.remainingItemCount === other.remainingItemCount;
