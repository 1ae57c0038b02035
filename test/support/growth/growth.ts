/** Finds out whether the work of a regular expression grows faster than its texts. */
import { type Attack, attacksOn } from './attacks.js';
import { parseExpression } from './parse-expression.js';
import { Program, type Search } from './program.js';

/** Steps for each character of a text of `few` pumps twice. Most expressions need fewer, and no second look. */
const usualSteps = 12;

/** Steps for each character. Bounded repetitions need fewer. */
const maxSteps = 2000;

/** How often to repeat a pump at first. Repetitions with a higher bound seem to grow too. */
const few = 16;

/** How often to repeat it to make sure. It exceeds repetitions that the length of a name bounds. */
const many = 320;

/** A text of four times the length takes four times the steps, or a little more for its beginning. */
const allowedGrowth = { few: 5.5, many: 8 };

/**
 * Returns a text for which the work grows faster than the text, or `undefined` if it finds none. Counts the steps of a
 * matcher that backtracks like the engine, so the answer does not depend on the machine.
 * @param search whether callers use the expression for one match or for all matches in a text.
 */
export function superlinear(expression: RegExp, search: Search): Attack | undefined {
  const node = parseExpression(expression);
  const program = new Program(node, expression.flags);
  const grows = (attack: Attack, count: number, allowed: number): boolean => {
    const text = textOf(attack, count);
    const most = maxSteps * text.length;
    const steps = program.stepsOf(text, search, most);
    return steps > most || program.stepsOf(textOf(attack, 4 * count), search, steps * allowed) > steps * allowed;
  };
  const isUsual = (attack: Attack): boolean => {
    const text = textOf(attack, 2 * few);
    return program.stepsOf(text, search, usualSteps * text.length) <= usualSteps * text.length;
  };
  for (const attack of attacksOn(node)) {
    if (isUsual(attack) || !grows(attack, few, allowedGrowth.few)) continue;
    if (grows(attack, many, allowedGrowth.many)) return attack;
  }
  return undefined;
}

const textOf = ({ before, pump, after }: Attack, count: number): string => before + pump.repeat(count) + after;
