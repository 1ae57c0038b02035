/** Keeps the kinds of a server, and reads them again if a kind is missing. */
import { inTime } from '../connection/in-time.js';
import { splitVersion } from '../discovery.js';
import type { Requester } from '../requests.js';
import type { RequestOptions } from '../resource/options.js';
import { readServedKinds } from './served-kinds.js';
import { type KindReference, type ServedKind, type ServedKinds, UnknownKindError } from './types.js';

/** Concurrent calls share one request. */
export class KindCache {
  readonly #requester: Requester;
  #known: Promise<ServedKinds> | undefined;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Returns all kinds, as the last request found them. */
  all(options: RequestOptions = {}): Promise<ServedKinds> {
    return inTime(this.#known ?? this.#ask(), options, 'which kinds there are');
  }

  /** Makes the next call ask the server. */
  forget(): void {
    this.#known = undefined;
  }

  /**
   * Returns the kind that a reference names. Throws an `UnknownKindError` if the server does not have it, even after
   * another request.
   */
  async find(reference: KindReference, options?: RequestOptions): Promise<ServedKind> {
    const known = this.#known;
    const found = findKind((await this.all(options)).kinds, reference);
    if (found) return found;
    // Uses an answer that is not older than this call.
    if (known !== undefined && this.#known === known) this.forget();
    const again = known === undefined ? undefined : findKind((await this.all(options)).kinds, reference);
    if (again) return again;
    throw new UnknownKindError(reference);
  }

  /** Reads the kinds. All waiting callers share the request, so no single caller can end it. Does not keep failures. */
  #ask(): Promise<ServedKinds> {
    const asked = readServedKinds(this.#requester);
    this.#known = asked;
    asked.catch(() => {
      if (this.#known === asked) this.#known = undefined;
    });
    return asked;
  }
}

/** Returns the kind, or `undefined`. Of several, chooses the first one in its group's preferred version. */
export function findKind(kinds: readonly ServedKind[], reference: KindReference): ServedKind | undefined {
  if (typeof reference === 'string') return findTyped(kinds, reference);
  if ('kind' in reference) {
    const { group, version } = splitVersion(reference.apiVersion);
    return kinds.find((one) => one.kind === reference.kind && one.group === group && one.version === version);
  }
  const { group, version, plural } = reference;
  const named = kinds.filter((one) => one.group === group && one.plural === plural);
  return version === undefined ? preferred(named) : named.find((one) => one.version === version);
}

const preferred = (kinds: readonly ServedKind[]): ServedKind | undefined =>
  kinds.find(({ isPreferred }) => isPreferred) ?? kinds[0];

/** Finds a kind by `name`, `name.group`, or `name.version.group`, as people type it. */
function findTyped(kinds: readonly ServedKind[], text: string): ServedKind | undefined {
  const [name = '', ...rest] = text.split('.');
  if (rest.length === 0) return byName(kinds, name);
  const [version = '', ...group] = rest;
  const inVersion = kinds.filter((one) => one.version === version && one.group === group.join('.'));
  const inGroup = kinds.filter((one) => one.group === rest.join('.'));
  return byName(inVersion, name) ?? byName(inGroup, name);
}

/** Finds a kind by name. Whole names precede short names: different groups may choose the same short name. */
function byName(kinds: readonly ServedKind[], name: string): ServedKind | undefined {
  const lower = name.toLowerCase();
  const named = kinds.filter((one) => [one.plural, one.singular, one.kind.toLowerCase()].includes(lower));
  return preferred(named) ?? preferred(kinds.filter(({ shortNames }) => shortNames.includes(lower)));
}
