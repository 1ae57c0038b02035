/** Builds the functions of a conversion from its steps. */
import type {
  Conversion,
  ConversionExpressions,
  ConversionReport,
  ConversionStep,
  EvaluateExpression,
  ExpressionStep,
  FitsStored,
  InRelease,
  JsonObject,
  KeptAnnotations,
  Rename,
} from '../contract/index.js';
import { parsePath, type Segment } from '../objects/selectors/object-path.js';
import { type Direction, runsOf } from './conversion-steps.js';

/**
 * Returns the conversion that the steps of a definition declare. `expressions` are the compiled expressions of the
 * expression steps.
 */
export function defineConversion(steps: readonly ConversionStep[], expressions?: ConversionExpressions): Conversion {
  const numbered = expressionsOf(steps).map(({ step }) => step);
  const keeps = keptAnnotations(steps);
  const isKeeping = keeps.own.length + keeps.stored.length > 0;
  const convert = (direction: Direction) => {
    const runs = runsOf(steps, { direction, expressions: numbered, below: [] });
    return (
      object: JsonObject,
      rename: Rename,
      report?: ConversionReport,
      fits: FitsStored = anything,
      isThere: InRelease = anything,
    ): void => {
      const evaluate = expressions?.[direction](object, report) ?? notCompiled;
      for (const run of runs) run(object, { rename, evaluate, fits, isThere });
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
const anything = () => true;

/** Returns the annotations that stay if an update leaves them out. */
function keptAnnotations(steps: readonly ConversionStep[]): KeptAnnotations {
  const found = [...annotationsIn(steps)];
  const keysOf = (side: Found['side']): string[] => found.flatMap((each) => (each.side === side ? [each.key] : []));
  return { own: keysOf('own'), stored: keysOf('stored') };
}

interface Found {
  /** Whether this version or the stored version has the annotation. */
  readonly side: 'own' | 'stored';
  readonly key: string;
}

function* annotationsIn(steps: readonly ConversionStep[]): Generator<Found> {
  for (const step of steps) {
    if ('within' in step) yield* annotationsIn(step.within.steps);
    else if ('annotation' in step) {
      const { key, field, replaceable } = step.annotation;
      if (replaceable !== true) yield { side: field === undefined ? 'own' : 'stored', key };
    } else if ('wrap' in step && step.wrap.annotation !== undefined) {
      yield { side: step.wrap.list === 'field' ? 'stored' : 'own', key: step.wrap.annotation };
    } else if ('default' in step && step.default.annotation !== undefined) {
      yield { side: step.default.stored === undefined ? 'own' : 'stored', key: step.default.annotation };
    }
  }
}

/** An expression step and its place. */
export interface PlacedExpression {
  readonly step: ExpressionStep;
  /** The indexes and keys from the first list of steps to this step: `0`, `within`, `steps`, `1`, `expression`. */
  readonly path: readonly (string | number)[];
  /** The place to which the places of the step are relative. */
  readonly below: readonly Segment[];
  /** Whether it converts the value of an annotation. Such a value has no schema. */
  readonly isBoxed: boolean;
}

/** Lists all expression steps. */
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
