/** Rules on selectable fields of versions that are converted: the stored version must have each as it is. */
import type { ConversionStep } from '../../../runtime/contract/index.js';
import { formatPath, parsePath, type Segment } from '../../../runtime/schema/index.js';
import type { Report } from '../../diagnostics/problem.js';
import type { ResourceModel } from '../../model/model.js';

/** Reports selectable fields that servers do not store, because a conversion computes them. */
export function checkComputedFields({ versions }: ResourceModel, report: Report): void {
  for (const [index, { conversion, selectableFields }] of versions.entries()) {
    if (selectableFields.length === 0) continue;
    const computed = new Map(computedIn(conversion?.steps ?? [], []));
    for (const [at, field] of selectableFields.entries()) {
      const step = computed.get(field);
      if (step === undefined) continue;
      const path = ['spec', 'versions', index, 'selectableFields', at, 'jsonPath'];
      const message = `\`${field}\` is computed by \`${step}\`, so servers cannot select by it`;
      report({
        code: 'KF4016',
        path,
        message,
        suggestion: 'select by a field that is stored unchanged, or only moved',
      });
    }
  }
}

/** Yields the fields of this version that steps compute, and the names of the computations. */
function* computedIn(
  steps: readonly ConversionStep[],
  below: readonly Segment[],
): Generator<readonly [field: string, step: string]> {
  const whole = (place: string): string => formatPath([...below, ...(parsePath(place) ?? [])]);
  for (const step of steps) {
    if ('within' in step) {
      yield* computedIn(step.within.steps, [...below, ...(parsePath(step.within.path) ?? [])]);
    } else if ('expression' in step) yield [whole(step.expression.field), 'expression'];
    else if ('split' in step) yield [whole(step.split.field), 'split'];
    else if ('wrap' in step) yield [whole(step.wrap.field), 'wrap'];
    else if ('join' in step) for (const field of step.join.fields) yield [whole(field), 'join'];
  }
}
