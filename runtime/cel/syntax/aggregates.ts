/** Parses lists, maps and objects of named types. */
import type { Expr, MapEntry, MessageField } from './ast.js';
import type { TokenCursor } from './cursor.js';
import type { Grammar } from './grammar.js';
import type { NodeMaker } from './nodes.js';

export class AggregateParser {
  private readonly tokens: TokenCursor;
  private readonly nodes: NodeMaker;

  constructor(private readonly grammar: Grammar) {
    this.tokens = grammar.tokens;
    this.nodes = grammar.nodes;
  }

  /** `[a, b]`. */
  list(): Expr {
    const { at } = this.tokens.advance();
    const items: Expr[] = [];
    const optional = new Set<number>();
    while (!this.tokens.is(']')) {
      if (items.length === 0 && this.tokens.is(',')) {
        this.tokens.advance();
        break;
      }
      if (this.entryMark()) optional.add(items.length);
      items.push(this.grammar.expression());
      if (!this.tokens.take(',')) break;
    }
    this.tokens.closing(']');
    return this.nodes.made({ kind: 'list', at, items, optional }, items);
  }

  /** `{a: b}`. */
  map(): Expr {
    const { at } = this.tokens.advance();
    const entries: MapEntry[] = [];
    while (!this.tokens.is('}')) {
      if (entries.length === 0 && this.tokens.is(',')) {
        this.tokens.advance();
        break;
      }
      const optional = this.entryMark();
      const key = this.grammar.expression();
      const colon = this.tokens.peek().at;
      this.tokens.expect(':');
      entries.push({ at: colon, key, value: this.grammar.expression(), optional });
      if (!this.tokens.take(',')) break;
    }
    this.tokens.closing('}');
    return this.nodes.made(
      { kind: 'map', at, entries },
      entries.flatMap(({ key, value }) => [key, value]),
    );
  }

  /** `{a: b}` behind the name of a type. */
  message(name: string): Expr {
    const { at } = this.tokens.advance();
    const fields: MessageField[] = [];
    while (!this.tokens.is('}')) {
      const optional = this.entryMark();
      const field = this.grammar.fieldName();
      const colon = this.tokens.peek().at;
      this.tokens.expect(':');
      fields.push({ at: colon, name: field, value: this.grammar.expression(), optional });
      if (!this.tokens.take(',')) break;
    }
    this.tokens.expect('}');
    return this.nodes.made(
      { kind: 'message', at, name, fields },
      fields.map(({ value }) => value),
    );
  }

  /** Takes the `?` before an entry that is left out where it is absent. */
  private entryMark(): boolean {
    const token = this.tokens.peek();
    if (!this.tokens.take('?')) return false;
    if (!this.grammar.options.optionalSyntax) this.tokens.report({ at: token.at, message: "unsupported syntax '?'" });
    return true;
  }
}
