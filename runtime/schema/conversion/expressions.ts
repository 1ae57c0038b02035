/** The expressions among the steps of a conversion, in the order of their numbers. */
import type { ConversionStep, ExpressionStep } from '../../contract/index.js';
import { parsePath, type Segment } from './path.js';

/** An expression step, and what lies around it. */
export interface PlacedExpression {
  readonly step: ExpressionStep;
  /** Indexes and keys that lead to the step, from the first list of steps: `0`, `within`, `steps`, `1`, `expression`. */
  readonly path: readonly (string | number)[];
  /** The place that the step's places are below. */
  readonly below: readonly Segment[];
  /** Whether it converts the value of an annotation, which has no schema. */
  readonly isBoxed: boolean;
}

/** All of them. */
export function expressionsOf(steps: readonly ConversionStep[]): readonly PlacedExpression[] {
  return [...expressionsIn(steps, [], [], false)];
}

function* expressionsIn(
  steps: readonly ConversionStep[],
  path: readonly (string | number)[],
  below: readonly Segment[],
  isBoxed: boolean,
): Generator<PlacedExpression> {
  for (const [index, step] of steps.entries()) {
    const at = [...path, index];
    if ('expression' in step) yield { step: step.expression, path: [...at, 'expression'], below, isBoxed };
    else if ('within' in step) {
      const inner = [...below, ...(parsePath(step.within.path) ?? [])];
      yield* expressionsIn(step.within.steps, [...at, 'within', 'steps'], inner, isBoxed);
    } else if ('annotation' in step) {
      yield* expressionsIn(step.annotation.steps ?? [], [...at, 'annotation', 'steps'], [], true);
    }
  }
}
