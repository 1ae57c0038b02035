/** Stands in for types of `fetch` until one is needed: what is named here, Node loads when it is first used. */

/** As `new Headers` takes them. */
type HeadersInit = ConstructorParameters<typeof globalThis.Headers>[0];

/** Headers that become those of Node when they are first looked at. */
class LateHeaders {
  readonly #init: HeadersInit;
  #made: globalThis.Headers | undefined;

  constructor(init?: HeadersInit) {
    this.#init = init;
  }

  get #headers(): globalThis.Headers {
    this.#made ??= new globalThis.Headers(this.#init);
    return this.#made;
  }

  append(name: string, value: string): void {
    this.#headers.append(name, value);
  }

  delete(name: string): void {
    this.#headers.delete(name);
  }

  get(name: string): string | null {
    return this.#headers.get(name);
  }

  getSetCookie(): string[] {
    return this.#headers.getSetCookie();
  }

  has(name: string): boolean {
    return this.#headers.has(name);
  }

  set(name: string, value: string): void {
    this.#headers.set(name, value);
  }

  forEach(visit: (value: string, name: string, all: globalThis.Headers) => void): void {
    this.#headers.forEach(visit);
  }

  keys(): IterableIterator<string> {
    return this.#headers.keys();
  }

  values(): IterableIterator<string> {
    return this.#headers.values();
  }

  entries(): IterableIterator<[string, string]> {
    return this.#headers.entries();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }

  static [Symbol.hasInstance](value: unknown): boolean {
    return isMadeBy(LateHeaders, value) || value instanceof globalThis.Headers;
  }
}

/** A type of which `new` makes the one that `load` gives. What classes derived from it do not say themselves, it lacks. */
function late(load: () => new (...args: never[]) => object) {
  return class Late {
    constructor(...args: unknown[]) {
      // biome-ignore lint/correctness/noConstructorReturn: this is how a class makes objects of another one
      return Reflect.construct(load(), args);
    }

    static [Symbol.hasInstance](value: unknown): boolean {
      return isMadeBy(Late, value) || value instanceof load();
    }
  };
}

/** What `instanceof` says of classes that say nothing about it. */
const isMadeBy = (type: object, value: unknown): boolean => Function.prototype[Symbol.hasInstance].call(type, value);

export { LateHeaders as Headers };
export const Request = late(() => globalThis.Request);
export const Response = late(() => globalThis.Response);
