/** Keeps what a server says of its kinds, and asks again where a kind is not among them. */

import { inTime } from '../connection/in-time.js';
import type { Requester } from '../requests.js';
import type { RequestOptions } from '../resource/options.js';
import { findKind } from './find-kind.js';
import { readServedKinds } from './served-kinds.js';
import { type KindReference, type ServedKind, type ServedKinds, UnknownKindError } from './types.js';

/** Questions at a time are one request. */
export class KindCache {
  readonly #requester: Requester;
  #known: Promise<ServedKinds> | undefined;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** All kinds, as they were when last asked for. */
  all(options: RequestOptions = {}): Promise<ServedKinds> {
    return inTime(this.#known ?? this.#ask(), options, 'which kinds there are');
  }

  /** Has the next question ask the server. */
  forget(): void {
    this.#known = undefined;
  }

  /** The kind that is meant. Throws `UnknownKindError` where the server has it neither in memory nor when asked anew. */
  async find(reference: KindReference, options?: RequestOptions): Promise<ServedKind> {
    const known = this.#known;
    const found = findKind((await this.all(options)).kinds, reference);
    if (found) return found;
    // An answer is used again unless it is older than this question.
    if (known !== undefined && this.#known === known) this.forget();
    const again = known === undefined ? undefined : findKind((await this.all(options)).kinds, reference);
    if (again) return again;
    throw new UnknownKindError(reference);
  }

  /** The request belongs to all who wait for it, so none of them calls it off. A failure is not kept. */
  #ask(): Promise<ServedKinds> {
    const asked = readServedKinds(this.#requester);
    this.#known = asked;
    asked.catch(() => {
      if (this.#known === asked) this.#known = undefined;
    });
    return asked;
  }
}
