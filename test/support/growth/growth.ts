/** Finds out whether the work of a regular expression grows faster than the texts it is given. */
import { type Attack, attacksOn } from './attacks.js';
import { parseExpression } from './parse-expression.js';
import { Program, type Search } from './program.js';

/** Most work takes fewer steps than these for each character, and needs no second look. */
const usualSteps = 24;

/** More steps for each character than these are not the work of bounded repetitions. */
const maxSteps = 2000;

/** How often a pump is repeated at first. Bounded repetitions, which are not used up by so many, grow too. */
const few = 16;

/** How often it is repeated to make sure. Repetitions that are bounded by the length of a name are used up. */
const many = 320;

/** Text that is four times as long takes four times the steps, or a little more for the beginning. */
const allowedGrowth = { few: 5.5, many: 8 };

/**
 * Returns a text that shows that the work grows faster than the text, or `undefined` if no such text was found. Work is
 * counted in steps of a matcher that goes back as the engine does, so the answer does not depend on the machine.
 * @param search whether the expression is used for one match or for all in a text.
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
    const text = textOf(attack, 4 * few);
    return program.stepsOf(text, search, usualSteps * text.length) <= usualSteps * text.length;
  };
  for (const attack of attacksOn(node)) {
    if (isUsual(attack) || !grows(attack, few, allowedGrowth.few)) continue;
    if (grows(attack, many, allowedGrowth.many)) return attack;
  }
  return undefined;
}

const textOf = ({ before, pump, after }: Attack, count: number): string => before + pump.repeat(count) + after;
