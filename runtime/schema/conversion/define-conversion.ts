/** Makes the functions of a conversion of its steps. */
import type {
  Conversion,
  ConversionExpressions,
  ConversionReport,
  ConversionStep,
  EvaluateExpression,
  JsonObject,
  Rename,
} from '../../contract/index.js';
import { expressionsOf } from './expressions.js';
import { keptAnnotations } from './kept-annotations.js';
import { type Direction, runsOf } from './steps.js';

/**
 * Returns the conversion that the steps of a definition declare. `expressions` are those of the steps, compiled; steps
 * that compute a value need them.
 */
export function defineConversion(steps: readonly ConversionStep[], expressions?: ConversionExpressions): Conversion {
  const numbered = expressionsOf(steps).map(({ step }) => step);
  const keeps = keptAnnotations(steps);
  const isKeeping = keeps.own.length + keeps.stored.length > 0;
  const convert = (direction: Direction) => {
    const runs = runsOf(steps, { direction, expressions: numbered, below: [] });
    return (object: JsonObject, rename: Rename, report?: ConversionReport): void => {
      const evaluate = expressions?.[direction](object, report) ?? notCompiled;
      for (const run of runs) run(object, { rename, evaluate });
    };
  };
  return {
    toStored: convert('toStored'),
    fromStored: convert('fromStored'),
    ...(numbered.length > 0 ? { mayFail: true } : {}),
    ...(isKeeping ? { keeps } : {}),
  };
}

const notCompiled: EvaluateExpression = () => undefined;
