/** Whether a request meets the conditions of a policy or a webhook. */
import { conditionsCostLimit } from '../../../runtime/cel/index.js';
import type { Compiled } from './compiled.js';
import { evaluateAll, type Variables } from './evaluate.js';

/** Whether all conditions hold, or the mistakes that leave it open. */
export type Met =
  | { readonly ok: true; readonly met: boolean }
  | { readonly ok: false; readonly problem: string; readonly mistakes: number };

/** One condition that does not hold settles it, whatever becomes of the others. */
export function meetsConditions(conditions: readonly Compiled[], variables: Variables): Met {
  if (conditions.length === 0) return { ok: true, met: true };
  const evaluated = evaluateAll(conditions, variables, conditionsCostLimit);
  if (!evaluated.ok) return { ok: false, problem: evaluated.message, mistakes: 0 };
  const { results } = evaluated;
  if (results.some((result) => result?.ok && result.value === false)) return { ok: true, met: false };
  const messages = results.flatMap((result) => (result && !result.ok ? [result.message] : []));
  const mistakes = messages.length;
  if (mistakes === 0) return { ok: true, met: true };
  const different = [...new Set(messages)];
  const problem = different.length === 1 ? different.join('') : `[${different.join(', ')}]`;
  return { ok: false, problem, mistakes };
}
