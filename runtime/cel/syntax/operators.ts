/** Parses operators by their precedence. */
import type { Expr } from './ast.js';
import { Abort, type TokenCursor } from './cursor.js';
import type { Grammar, NodeMaker } from './grammar.js';
import { isNumber } from './lexer.js';

const relations = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);
const factors = new Set(['*', '/', '%']);
const terms = new Set(['+', '-']);

export class OperatorParser {
  private readonly tokens: TokenCursor;
  private readonly nodes: NodeMaker;

  constructor(private readonly grammar: Grammar) {
    this.tokens = grammar.tokens;
    this.nodes = grammar.nodes;
  }

  /** Parses any expression, beginning with the conditional operator. */
  expression(): Expr {
    this.nodes.enter();
    const condition = this.logical('||', '_||_', () => this.logical('&&', '_&&_', () => this.relation()));
    const question = this.tokens.peek();
    if (!this.tokens.take('?')) {
      this.nodes.leave();
      return condition;
    }
    const yes = this.logical('||', '_||_', () => this.logical('&&', '_&&_', () => this.relation()));
    this.tokens.expect(':');
    const no = this.expression();
    this.nodes.leave();
    return this.nodes.call(question.at, '_?_:_', [condition, yes, no]);
  }

  /** Parses a chain of one logical operator into a balanced tree, because chains may be long. */
  private logical(sign: string, name: string, operand: () => Expr): Expr {
    const operands = [operand()];
    const places: number[] = [];
    while (this.tokens.is(sign)) {
      places.push(this.tokens.advance().at);
      operands.push(operand());
    }
    return this.balanced(name, operands, places, 0, places.length - 1);
  }

  private balanced(
    name: string,
    operands: readonly Expr[],
    places: readonly number[],
    low: number,
    high: number,
  ): Expr {
    const first = operands[low];
    if (first === undefined) throw new Abort();
    if (low > high) return first;
    const middle = (low + high + 1) >> 1;
    const left = this.balanced(name, operands, places, low, middle - 1);
    const right = this.balanced(name, operands, places, middle + 1, high);
    return this.nodes.call(places[middle] ?? 0, name, [left, right]);
  }

  private relation(): Expr {
    let left = this.sum();
    while (this.tokens.peek().type === 'symbol' && relations.has(this.tokens.peek().text)) {
      const sign = this.tokens.advance();
      const name = sign.text === 'in' ? '@in' : `_${sign.text}_`;
      left = this.nodes.call(sign.at, name, [left, this.sum()]);
    }
    return left;
  }

  private sum(): Expr {
    return this.chain(terms, () => this.chain(factors, () => this.unary()));
  }

  private chain(signs: ReadonlySet<string>, operand: () => Expr): Expr {
    let left = operand();
    while (this.tokens.peek().type === 'symbol' && signs.has(this.tokens.peek().text)) {
      const sign = this.tokens.advance();
      left = this.nodes.call(sign.at, `_${sign.text}_`, [left, operand()]);
    }
    return left;
  }

  private unary(): Expr {
    const sign = this.tokens.peek();
    if (sign.type !== 'symbol' || (sign.text !== '!' && sign.text !== '-')) return this.grammar.member();
    if (sign.text === '-' && isNumber(this.tokens.peek(1))) return this.grammar.member();
    let count = 0;
    while (this.tokens.is(sign.text)) {
      this.tokens.advance();
      count++;
    }
    const operand = this.grammar.member();
    return count % 2 === 0 ? operand : this.nodes.call(sign.at, `${sign.text}_`, [operand]);
  }
}
