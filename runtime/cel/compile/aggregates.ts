/** Turns lists, maps and objects of named types into program text. */

import { listCost, mapCost, messageCost } from '../check/call-cost.js';
import type { Expr, ListLiteral, MapLiteral, MessageLiteral } from '../syntax/ast.js';
import type { Code, ProgramCode } from './code.js';
import type { EmitHost } from './host.js';
import { broken } from './operands.js';
import { quoted } from './program-text.js';

export class AggregateEmitter {
  constructor(private readonly host: EmitHost) {}

  list(expr: ListLiteral): Code {
    const items = expr.items.map((item) => this.host.value(item));
    const texts = items.map(({ text }, i) =>
      expr.optional.has(i) ? `...${this.host.code.use('entryItems')}(${text})` : text,
    );
    return this.made(expr, `[${texts.join(', ')}]`, items, listCost, expr.optional.size > 0);
  }

  map(expr: MapLiteral): Code {
    const parts: Code[] = [];
    const text = entriesText(expr, this.host.code, (part) => {
      const code = this.host.value(part);
      parts.push(code);
      return code.text;
    });
    return this.made(expr, text, parts, mapCost, true);
  }

  message(expr: MessageLiteral): Code {
    const reference = this.host.checked.references.get(expr);
    if (reference?.kind !== 'message') return broken(this.host.code);
    const parts = expr.fields.map(({ value }) => this.host.value(value));
    const fields = expr.fields.map(({ name, optional }, i) => {
      const text = parts[i]?.text ?? 'null';
      return `[${quoted(name)}, ${optional ? `${this.host.code.use('entryValue')}(${text})` : text}]`;
    });
    return this.made(
      expr,
      `overloads.construct(${quoted(reference.name)}, [${fields.join(', ')}])`,
      parts,
      messageCost,
      true,
    );
  }

  private made(expr: Expr, text: string, parts: readonly Code[], base: number, mayFail: boolean): Code {
    const cost = parts.reduce((sum, part) => sum + part.cost, base);
    return { text, type: this.host.typeOf(expr), cost, fails: mayFail || parts.some(({ fails }) => fails) };
  }
}

/**
 * Returns the text of a map, from the texts of its keys and values. The text is one array: a long chain of calls would
 * overflow the stack of the JavaScript parser.
 */
export function entriesText(expr: MapLiteral, code: ProgramCode, partText: (part: Expr) => string): string {
  const entries = expr.entries.map(({ key, value, optional }) => {
    const name = partText(key);
    const text = partText(value);
    return `[${name}, ${optional ? `${code.use('entryValue')}(${text})` : text}]`;
  });
  return `${code.use('EntryMap')}.literal([${entries.join(', ')}])`;
}
