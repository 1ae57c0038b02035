/** The annotations in which a conversion keeps what the other version has no field for. */
import type { ConversionStep, KeptAnnotations } from '../../contract/index.js';

/** Those that an update which leaves them out does not drop. */
export function keptAnnotations(steps: readonly ConversionStep[]): KeptAnnotations {
  const found = [...annotationsIn(steps)];
  const keysOf = (side: Found['side']): string[] => found.flatMap((each) => (each.side === side ? [each.key] : []));
  return { own: keysOf('own'), stored: keysOf('stored') };
}

interface Found {
  /** The version whose objects have the annotation. */
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
