/** Turns a checked expression into program text. */
import { quoted } from '../../schema/emit/literal.js';
import type { Checked } from '../check/references.js';
import { bool, dyn, type Type } from '../check/types.js';
import { hasDynamicCost, listCost, mapCost, messageCost, selectCost } from '../cost/call-cost.js';
import type { Environment, Overload } from '../environment.js';
import type { Call, Expr, Ident, ListLiteral, Literal, MapLiteral, MessageLiteral, Select } from '../syntax/ast.js';
import { type Code, camelCase, ProgramCode } from './code.js';
import { isFoldable } from './constants.js';
import { inlineCall } from './inline.js';
import { type Local, LoopEmitter, type LoopHost, type NewLocal } from './loops.js';
import { free, intText, relativeCost, takesExactly } from './operands.js';
import { ReadingEmitter } from './reading.js';

/** Calls that succeed whatever values of their types they are given. */
const infallible =
  /^(?:equals|not_equals|less|greater|size_|list_size|map_size|string_size|bytes_size|starts_with|ends_with|contains_string|logical_not|in_list|in_map|to_dyn|type$|not_strictly)/;

/** Functions of the support module that take a compiled pattern, by the overloads they stand in for. */
const patternFunctions: Readonly<Record<string, string>> = {
  matches: 'matchesPattern',
  matches_string: 'matchesPattern',
  string_find_string: 'findPattern',
  string_find_all_string: 'findAllPattern',
  string_find_all_string_int: 'findAllPattern',
};

/** The text of a whole program: the body of a function from the support module and the overloads to the program. */
export function emitProgram(expr: Expr, checked: Checked, environment: Environment): string {
  return new Emitter(checked, environment).program(expr);
}

class Emitter implements LoopHost {
  readonly code = new ProgramCode();
  readonly reading = new ReadingEmitter(this.code);
  private readonly loops = new LoopEmitter(this);
  private readonly globals = new Map<string, string>();
  private readonly head: string[] = [];
  private scope: ReadonlyMap<string, Local> = new Map();

  constructor(
    private readonly checked: Checked,
    private readonly environment: Environment,
  ) {}

  program(expr: Expr): string {
    const result = this.charged(this.value(expr));
    return this.code.text(this.head, result);
  }

  /** The text with what it costs charged first. */
  private charged(code: Code): string {
    return code.cost === 0 ? code.text : `(meter.charge(${code.cost}), ${code.text})`;
  }

  /** The text of an arrow function's body. */
  body(code: Code): string {
    const text = this.charged(code);
    return text.startsWith('{') ? `(${text})` : text;
  }

  typeOf(expr: Expr): Type {
    return this.checked.types.get(expr) ?? dyn;
  }

  value(expr: Expr): Code {
    return this.reading.value(this.emit(expr));
  }

  /** A value of type bool; one that is only known at run time is tested. */
  truth(expr: Expr): Code {
    const code = this.value(expr);
    if (code.type.kind === 'bool') return code;
    return { ...code, text: `${this.code.use('truth')}(${code.text})`, type: bool, fails: true };
  }

  emit(expr: Expr): Code {
    if (isFoldable(expr, this.checked)) return this.folded(expr);
    switch (expr.kind) {
      case 'constant':
        return { text: this.literal(expr.literal), type: this.typeOf(expr), cost: 0, fails: false };
      case 'ident':
        return this.name(expr);
      case 'select':
        return this.select(expr);
      case 'call':
        return this.call(expr);
      case 'list':
        return this.list(expr);
      case 'map':
        return this.map(expr);
      case 'message':
        return this.message(expr);
      case 'comprehension':
        return this.loops.emit(expr);
    }
  }

  /** A part that only consists of constants is evaluated once, when the program is made. */
  private folded(expr: Expr): Code {
    const code = this.constantText(expr);
    return { text: this.code.constant('constant', code), type: this.typeOf(expr), cost: 0, fails: false };
  }

  private constantText(expr: Expr): string {
    switch (expr.kind) {
      case 'constant':
        return this.literal(expr.literal);
      case 'list':
        return `[${expr.items.map((item) => this.constantText(item)).join(', ')}]`;
      case 'map':
        return this.entries(expr, (part) => this.constantText(part));
      case 'call': {
        const [overload] = this.overloadsOf(expr);
        const args = (expr.target === undefined ? expr.args : [expr.target, ...expr.args]).map((part) =>
          this.constantText(part),
        );
        return overload === undefined
          ? `${this.code.use('noSuchOverload')}()`
          : `${this.direct(overload)}(${args.join(', ')})`;
      }
      default:
        return 'null';
    }
  }

  private literal(literal: Literal): string {
    switch (literal.type) {
      case 'null':
        return 'null';
      case 'bool':
        return String(literal.value);
      case 'int':
        return intText(literal.value);
      case 'uint':
        return this.code.constant('uint', `new ${this.code.use('Uint')}(${literal.value}n)`);
      case 'double':
        return this.code.constant(
          'double',
          `new ${this.code.use('Double')}(${Object.is(literal.value, -0) ? '-0' : literal.value})`,
        );
      case 'string':
        return quoted(literal.value);
      case 'bytes':
        return this.code.constant('bytes', `Uint8Array.of(${literal.value.join(', ')})`);
    }
  }

  private name(expr: Ident | Select): Code {
    const reference = this.checked.references.get(expr);
    if (reference?.kind === 'local') {
      const local = this.scope.get(reference.name);
      if (local === undefined) return this.missing(expr);
      return {
        text: local.name,
        type: local.type,
        cost: selectCost,
        fails: false,
        ...(local.data === undefined ? {} : { data: local.data }),
      };
    }
    if (reference?.kind === 'variable') return this.global(reference.name);
    if (reference?.kind === 'type') {
      const text = this.code.constant('type', `${this.code.use('typeValue')}(${quoted(reference.name)})`);
      return { text, type: this.typeOf(expr), cost: 0, fails: false };
    }
    return this.missing(expr);
  }

  private missing(expr: Ident | Select): Code {
    const name = expr.kind === 'ident' ? expr.name : expr.field;
    const text = `${this.code.use('fail')}(${quoted(`no such attribute(s): ${name}`)})`;
    return { text, type: dyn, cost: selectCost, fails: true };
  }

  private global(name: string): Code {
    const variable = this.environment.variable(name);
    const data = variable?.data;
    const known = this.globals.get(name);
    const text = known ?? this.code.variable(name);
    if (known === undefined) {
      this.globals.set(name, text);
      this.head.push(
        `const ${text} = variables[${quoted(name)}]${data === undefined ? '' : ` ?? ${this.code.use('unset')}(${quoted(name)})`};`,
      );
    }
    const type = variable?.type ?? dyn;
    // A variable without a schema may have been left out.
    if (data === undefined) {
      return {
        text: `(${text} ?? ${this.code.use('unbound')}(${text}, ${quoted(name)}))`,
        type,
        cost: selectCost,
        fails: true,
      };
    }
    return { text, type: data.type, cost: selectCost, fails: false, data };
  }

  private select(expr: Select): Code {
    if (this.checked.references.has(expr)) return this.name(expr);
    const operand = this.emit(expr.operand);
    const lookup = operand.cost + relativeCost(expr.operand);
    const cost = lookup + (expr.test ? 0 : selectCost);
    if (expr.test) {
      const test = this.reading.has(operand, expr.field);
      if (test !== undefined)
        return {
          text: test,
          type: bool,
          cost,
          fails: operand.fails || operand.data?.shape === 'dyn' || operand.data?.nullable === true,
        };
      const value = this.reading.value(operand);
      return {
        text: `${this.code.use('hasField')}(${value.text}, ${quoted(expr.field)})`,
        type: bool,
        cost,
        fails: true,
      };
    }
    const selected = this.reading.select(operand, expr.field);
    if (selected !== undefined) return { ...selected, cost };
    const value = this.reading.value(operand);
    return {
      text: `${this.code.use('selectField')}(${value.text}, ${quoted(expr.field)})`,
      type: this.typeOf(expr),
      cost,
      fails: true,
    };
  }

  private overloadsOf(expr: Call): readonly Overload[] {
    const reference = this.checked.references.get(expr);
    return reference?.kind === 'function' ? reference.overloads : [];
  }

  private call(expr: Call): Code {
    if (expr.chain !== undefined) return this.chain(expr);
    switch (expr.name) {
      case '_&&_':
      case '_||_':
        return this.logical(expr);
      case '_?_:_':
        return this.conditional(expr);
      case '_?._':
        return this.optionalSelect(expr);
      case '_[_]':
        return this.index(expr);
      default:
        return this.function(expr);
    }
  }

  private logical(expr: Call): Code {
    const [first, second] = expr.args;
    if (first === undefined || second === undefined) return this.broken();
    const left = this.truth(first);
    const right = this.truth(second);
    const fails = left.fails || right.fails;
    const sign = expr.name === '_&&_' ? '&&' : '||';
    if (!left.fails)
      return { text: `(${left.text} ${sign} ${this.charged(right)})`, type: bool, cost: left.cost, fails };
    const helper = this.code.use(sign === '&&' ? 'and' : 'or');
    return { text: `${helper}(() => ${left.text}, () => ${this.charged(right)})`, type: bool, cost: left.cost, fails };
  }

  private conditional(expr: Call): Code {
    const [first, second, third] = expr.args;
    if (first === undefined || second === undefined || third === undefined) return this.broken();
    const condition = this.truth(first);
    const yes = free(this.value(second), second);
    const no = free(this.value(third), third);
    return {
      text: `(${condition.text} ? ${this.charged(yes)} : ${this.charged(no)})`,
      type: this.typeOf(expr),
      cost: condition.cost,
      fails: condition.fails || yes.fails || no.fails,
    };
  }

  private optionalSelect(expr: Call): Code {
    const [operand, name] = expr.args;
    if (operand === undefined || name?.kind !== 'constant' || name.literal.type !== 'string') return this.broken();
    const value = this.value(operand);
    const text = `${this.code.use('selectPaid')}(meter, ${value.text}, ${quoted(name.literal.value)})`;
    return { text, type: this.typeOf(expr), cost: value.cost + relativeCost(operand), fails: true };
  }

  private chain(expr: Call): Code {
    if (expr.chain === undefined) return this.broken();
    const { target, variable, body, flat } = expr.chain;
    const value = this.value(target);
    const bound = this.within([[variable, { type: dyn }]], ([name]) => `(${name}) => ${this.body(this.value(body))}`);
    return {
      text: `${this.code.use('chain')}(meter, ${value.text}, ${bound}, ${flat}, ${value.cost})`,
      type: this.typeOf(expr),
      cost: value.cost + 1,
      fails: true,
    };
  }

  /** An item of decoded JSON stays decoded JSON. */
  private index(expr: Call): Code {
    const [container, position] = expr.args;
    if (container === undefined || position === undefined) return this.broken();
    const operand = this.emit(container);
    const index = free(this.value(position), position);
    const cost = operand.cost + index.cost + selectCost + relativeCost(container);
    const { data } = operand;
    if (data?.shape === 'list' && index.type.kind === 'int' && data.items !== undefined) {
      return {
        text: `${this.code.use('jsonIndex')}(${operand.text}, ${index.text})`,
        type: data.items.type,
        cost,
        fails: true,
        data: data.items,
      };
    }
    if (data?.shape === 'map' && index.type.kind === 'string' && data.values !== undefined) {
      return {
        text: `${this.code.use('jsonEntry')}(${operand.text}, ${index.text})`,
        type: data.values.type,
        cost,
        fails: true,
        data: data.values,
      };
    }
    return { ...this.invoke(expr, [this.reading.value(operand), index]), cost };
  }

  /** `a.or(b)` and `a.orValue(b)`: the second only where the first is absent, both at no cost of their own. */
  private alternative(expr: Call, target: Expr, other: Expr, id: string): Code {
    const first = this.value(target);
    const second = this.charged(this.value(other));
    const helper = this.code.use(id === 'optional_or_optional' ? 'orOptional' : 'orValue');
    return {
      text: `${helper}(${first.text}, () => ${second})`,
      type: this.typeOf(expr),
      cost: first.cost,
      fails: true,
    };
  }

  private function(expr: Call): Code {
    const [overload] = this.overloadsOf(expr);
    const [other] = expr.args;
    const alternative = overload !== undefined && /^optional_or(?:_optional|Value_value)$/.test(overload.id);
    if (alternative && expr.target !== undefined && other !== undefined) {
      return this.alternative(expr, expr.target, other, overload.id);
    }
    const member = this.membership(expr, overload);
    if (member !== undefined) return member;
    const reference = this.checked.references.get(expr);
    const namespaced = reference?.kind === 'function' && reference.namespaced;
    const parts = expr.target === undefined || namespaced ? expr.args : [expr.target, ...expr.args];
    return this.invoke(
      expr,
      parts.map((part) => this.emit(part)),
    );
  }

  /** Whether a value is one of several constants is looked up, at no cost of its own. */
  private membership(expr: Call, overload: Overload | undefined): Code | undefined {
    const [item, container] = expr.args;
    if (overload?.id !== 'in_list' || this.overloadsOf(expr).length > 1) return undefined;
    if (item === undefined || container?.kind !== 'list' || container.items.length === 0) return undefined;
    const value = this.value(item);
    const kinds = new Set(container.items.map((one) => (one.kind === 'constant' ? one.literal.type : 'other')));
    const [kind] = kinds;
    if (kinds.size !== 1 || kind !== value.type.kind || !/^(?:string|int|bool)$/.test(kind)) return undefined;
    const set = this.code.constant('members', `new Set(${this.constantText(container)})`);
    return { text: `${set}.has(${value.text})`, type: bool, cost: value.cost, fails: value.fails };
  }

  private invoke(expr: Call, args: readonly Code[]): Code {
    const overloads = this.overloadsOf(expr);
    const [overload] = overloads;
    const type = this.typeOf(expr);
    if (overload === undefined) return { ...this.broken(), cost: args.reduce((sum, { cost }) => sum + cost, 1) };
    const matched = overloads.length === 1 ? this.matched(expr, overload, args) : undefined;
    if (matched !== undefined) return matched;
    const exact = overloads.length === 1 && takesExactly(overload, args);
    const inline = exact ? inlineCall(overload, args, this.code, (code) => this.reading.value(code)) : undefined;
    const values = args.map((argument) => this.reading.value(argument));
    const cost = values.reduce((sum, { cost: part }) => sum + part, 0);
    const failing = values.some(({ fails }) => fails);
    if (inline !== undefined) {
      return { text: inline.text, type, cost: cost + inline.cost, fails: failing || !infallible.test(overload.id) };
    }
    const texts = values.map(({ text }) => text).join(', ');
    const fails = failing || !exact || !infallible.test(overload.id);
    if (!exact) return { text: `${this.anyOf(overloads)}(meter, ${texts})`, type, cost, fails };
    if (hasDynamicCost(overload.id)) return { text: `${this.metered(overload)}(meter, ${texts})`, type, cost, fails };
    return { text: `${this.direct(overload)}(${texts})`, type, cost: cost + 1, fails };
  }

  /** A constant pattern is compiled when the program is made; one that is wrong keeps it from being made. */
  private matched(expr: Call, { id }: Overload, args: readonly Code[]): Code | undefined {
    const helper = patternFunctions[id];
    const [text, pattern, limit] = args;
    const source = expr.args[expr.target === undefined ? 1 : 0];
    if (helper === undefined || source?.kind !== 'constant' || source.literal.type !== 'string') return undefined;
    if (text === undefined || pattern === undefined || text.type.kind !== 'string' || text.data?.nullable)
      return undefined;
    const value = this.reading.value(text);
    const compiled = this.code.constant('pattern', `${this.code.use('patternOf')}(${quoted(source.literal.value)})`);
    const rest = limit === undefined ? '' : `, ${limit.text}`;
    return {
      text: `${this.code.use(helper)}(meter, ${value.text}, ${compiled}${rest})`,
      type: this.typeOf(expr),
      cost: value.cost + (limit?.cost ?? 0),
      fails: value.fails || limit?.fails === true,
    };
  }

  /** The function of an overload by itself, for calls of fixed cost. */
  private direct({ id }: Overload): string {
    return this.code.constant(camelCase(id), `overloads(${quoted(id)})`);
  }

  /** The function of an overload whose cost depends on its arguments. */
  private metered({ id }: Overload): string {
    return this.code.constant(camelCase(id), `overloads.metered(${quoted(id)})`);
  }

  /** A function that finds the overload to call by the values it is given. */
  private anyOf(overloads: readonly Overload[]): string {
    const ids = overloads.map(({ id }) => quoted(id)).join(', ');
    return this.code.constant(`any${camelCase(`_${overloads[0]?.id}`)}`, `overloads.anyOf(${ids})`);
  }

  private list(expr: ListLiteral): Code {
    const items = expr.items.map((item) => this.value(item));
    const texts = items.map(({ text }, i) =>
      expr.optional.has(i) ? `...${this.code.use('entryItems')}(${text})` : text,
    );
    return this.made(expr, `[${texts.join(', ')}]`, items, listCost, expr.optional.size > 0);
  }

  private map(expr: MapLiteral): Code {
    const parts: Code[] = [];
    const text = this.entries(expr, (part) => {
      const code = this.value(part);
      parts.push(code);
      return code.text;
    });
    return this.made(expr, text, parts, mapCost, true);
  }

  private entries(expr: MapLiteral, textOf: (part: Expr) => string): string {
    const start = `new ${this.code.use('EntryMap')}()`;
    return expr.entries.reduce((text, { key, value, optional }) => {
      const method = optional ? 'optional' : 'literal';
      return `${text}.${method}(${textOf(key)}, ${textOf(value)})`;
    }, start);
  }

  private message(expr: MessageLiteral): Code {
    const reference = this.checked.references.get(expr);
    if (reference?.kind !== 'message') return this.broken();
    const parts = expr.fields.map(({ value }) => this.value(value));
    const fields = expr.fields.map(({ name, optional }, i) => {
      const text = parts[i]?.text ?? 'null';
      return `[${quoted(name)}, ${optional ? `${this.code.use('entryValue')}(${text})` : text}]`;
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
    return { text, type: this.typeOf(expr), cost, fails: mayFail || parts.some(({ fails }) => fails) };
  }

  private broken(): Code {
    return { text: `${this.code.use('noSuchOverload')}()`, type: dyn, cost: 0, fails: true };
  }

  /** Emits text in which names of the expression stand for new variables of the program. */
  within(variables: readonly NewLocal[], emit: (names: readonly string[]) => string): string {
    const outer = this.scope;
    const names = variables.map(([name]) => this.code.variable(name));
    const added = variables.map(([name, local], i): [string, Local] => [name, { ...local, name: names[i] ?? name }]);
    this.scope = new Map([...outer, ...added]);
    const text = emit(names);
    this.scope = outer;
    return text;
  }
}
