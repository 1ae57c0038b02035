/** Turns operators that evaluate only some of their operands into program text. */
import { bool, dyn } from '../check/types.js';
import type { Call } from '../syntax/ast.js';
import { broken, overloadsOf } from './callees.js';
import { bodyOf, type Code, charged, lambda } from './code.js';
import type { EmitHost } from './host.js';
import { free } from './operands.js';

export class BranchEmitter {
  constructor(private readonly host: EmitHost) {}

  /** `a && b`, `a || b`: what one operand decides, the other cannot make fail. */
  logical(expr: Call): Code {
    const [first, second] = expr.args;
    if (first === undefined || second === undefined) return broken(this.host.code);
    const left = this.host.truth(first);
    const right = this.host.truth(second);
    const fails = left.fails || right.fails;
    const sign = expr.name === '_&&_' ? '&&' : '||';
    if (!left.fails) return { text: `(${left.text} ${sign} ${charged(right)})`, type: bool, cost: left.cost, fails };
    const helper = this.host.code.use(sign === '&&' ? 'and' : 'or');
    return { text: `${helper}(() => ${left.text}, () => ${charged(right)})`, type: bool, cost: left.cost, fails };
  }

  /** `a ? b : c`. */
  conditional(expr: Call): Code {
    const [first, second, third] = expr.args;
    if (first === undefined || second === undefined || third === undefined) return broken(this.host.code);
    const condition = this.host.truth(first);
    const yes = free(this.host.value(second), second);
    const no = free(this.host.value(third), third);
    const type = this.host.typeOf(expr);
    const text = `(${condition.text} ? ${charged(yes)} : ${charged(no)})`;
    const isKnown = yes.type.kind === type.kind && no.type.kind === type.kind;
    return {
      text: isKnown ? text : this.host.code.known(text, type),
      type,
      cost: condition.cost,
      fails: condition.fails || yes.fails || no.fails,
    };
  }

  /** `a.optMap(x, b)` and `a.optFlatMap(x, b)`: the body only where the target is present. */
  chain(expr: Call): Code {
    if (expr.chain === undefined) return broken(this.host.code);
    const { target, variable, body, flat } = expr.chain;
    const value = this.host.value(target);
    const bound = this.host.within([[variable, { type: dyn }]], (names) =>
      lambda(names, (name) => `(${name})`, bodyOf(this.host.value(body))),
    );
    return {
      text: `${this.host.code.use('chain')}(meter, ${value.text}, ${bound}, ${flat}, ${value.cost})`,
      type: this.host.typeOf(expr),
      cost: value.cost + 1,
      fails: true,
    };
  }

  /** `a.or(b)` and `a.orValue(b)`: the second only where the first is absent, both at no cost of their own. */
  alternative(expr: Call): Code | undefined {
    const { target } = expr;
    const [overload] = overloadsOf(expr, this.host.checked);
    const [other] = expr.args;
    if (overload === undefined || !/^optional_or(?:_optional|Value_value)$/.test(overload.id)) return undefined;
    if (target === undefined || other === undefined) return undefined;
    const first = this.host.value(target);
    const second = charged(this.host.value(other));
    const helper = this.host.code.use(overload.id === 'optional_or_optional' ? 'orOptional' : 'orValue');
    const type = this.host.typeOf(expr);
    return {
      text: this.host.code.known(`${helper}(${first.text}, () => ${second})`, type),
      type,
      cost: first.cost,
      fails: true,
    };
  }
}
