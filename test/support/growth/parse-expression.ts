/** Reads the structure of a regular expression of JavaScript. The engine decides what matches a single character. */

/** One part of an expression. */
export type Node =
  /** One character: a literal, an escape, a class or a dot. */
  | { readonly kind: 'character'; readonly accepts: (character: string) => boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | {
      readonly kind: 'repeat';
      readonly body: Node;
      readonly min: number;
      readonly max: number;
      readonly greedy: boolean;
    }
  /** A capturing group, with its number from 1. */
  | { readonly kind: 'group'; readonly body: Node; readonly index: number }
  | { readonly kind: 'look'; readonly body: Node; readonly ahead: boolean; readonly negated: boolean }
  | { readonly kind: 'edge'; readonly edge: '^' | '$' | 'b' | 'B' }
  | { readonly kind: 'reference'; readonly index: number };

/** Parses the source of an expression that the engine has accepted. Throws if this reader does not know the syntax. */
export const parseExpression = ({ source, flags }: RegExp): Node => new Reader(source, flags).read();

/** An escape, a class or a literal. A pair of surrogates is one literal. */
const character =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|.)|\[(?:[^\]\\]|\\.)*\]|[\ud800-\udbff][\udc00-\udfff]|[^\\[\](){}*+?|^$]/sy;

class Reader {
  #at = 0;
  #groups = 0;
  readonly #names = new Map<string, number>();

  constructor(
    readonly source: string,
    readonly flags: string,
  ) {}

  read(): Node {
    const node = this.#choice();
    if (this.#at < this.source.length) throw this.#unknown();
    return node;
  }

  #choice(): Node {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    const [only] = options;
    return options.length === 1 && only ? only : { kind: 'choice', options };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#at < this.source.length && !'|)'.includes(this.source.charAt(this.#at))) {
      parts.push(this.#repeated(this.#atom()));
    }
    return { kind: 'sequence', parts };
  }

  #atom(): Node {
    if (this.#take('^')) return { kind: 'edge', edge: '^' };
    if (this.#take('$')) return { kind: 'edge', edge: '$' };
    if (this.#take('\\b')) return { kind: 'edge', edge: 'b' };
    if (this.#take('\\B')) return { kind: 'edge', edge: 'B' };
    if (this.#take('(?=')) return this.#look(true, false);
    if (this.#take('(?!')) return this.#look(true, true);
    if (this.#take('(?<=')) return this.#look(false, false);
    if (this.#take('(?<!')) return this.#look(false, true);
    if (this.#take('(?:')) return this.#closed(this.#choice());
    if (this.#take('(')) return this.#group();
    const reference = this.#match(/\\(?:k<(\w+)>|([1-9]\d*))/y);
    if (reference) {
      const [, name = '', index = ''] = reference;
      return { kind: 'reference', index: this.#names.get(name) ?? Number(index) };
    }
    return this.#character();
  }

  #group(): Node {
    const index = ++this.#groups;
    const name = this.#match(/\?<(\w+)>/y)?.[1];
    if (name) this.#names.set(name, index);
    return { kind: 'group', body: this.#closed(this.#choice()), index };
  }

  #look(ahead: boolean, negated: boolean): Node {
    return { kind: 'look', body: this.#closed(this.#choice()), ahead, negated };
  }

  #closed(node: Node): Node {
    if (!this.#take(')')) throw this.#unknown();
    return node;
  }

  #character(): Node {
    const found = this.#match(character);
    if (!found) throw this.#unknown();
    const flags = this.flags.replace(/[gydm]/g, '');
    const expression = new RegExp(`^(?:${found[0]})$`, flags);
    // Keeps the answer for each character of ASCII, because the same few are requested millions of times.
    const ascii = Array.from({ length: 128 }, (_, code) => expression.test(String.fromCharCode(code)));
    const accepts = (one: string): boolean => ascii[one.charCodeAt(0)] ?? expression.test(one);
    return { kind: 'character', accepts };
  }

  #repeated(body: Node): Node {
    const found = this.#match(/(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/y);
    if (!found) return body;
    const [, sign, least = '', comma, most] = found;
    const min = sign ? Number(sign === '+') : Number(least);
    const max = sign ? (sign === '?' ? 1 : Infinity) : comma ? Number(most || Infinity) : min;
    return { kind: 'repeat', body, min, max, greedy: found[5] === '' };
  }

  #take(text: string): boolean {
    if (!this.source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.source);
    if (found) this.#at += found[0].length;
    return found;
  }

  #unknown(): Error {
    return new Error(`cannot read /${this.source}/ at ${this.#at}`);
  }
}
