/** RuntimeClass: what a handler is called, what pods take more, and which nodes are meant. */
import type { FieldError, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { duplicate, forbidden } from '../../runtime/objects/field-error.js';
import { isStringMap, objectAt } from '../../runtime/objects/guards.js';
import { validateLabels } from '../../runtime/objects/metadata-rules.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { printedToleration, tolerationErrors } from '../core/pod-spec/tolerations.js';
import { objectsAt } from '../shared/reading.js';
import { amountErrors, amountsAt, roundUpAmounts } from '../shared/resource-list.js';
import { type ResourceNames, resourceNamesOf } from '../shared/resource-names.js';

export function defineRuntimeClassStrategy(names: Naming): Strategy {
  const resources = resourceNamesOf(names);
  return {
    kind: 'node.platform.io/RuntimeClass',
    canonicalize: (object) => roundUpAmounts(objectAt(objectAt(object, 'overhead'), 'podFixed')),
    validate: (object) => [
      ...overheadErrors(objectAt(object, 'overhead'), resources),
      ...schedulingErrors(objectAt(object, 'scheduling')),
    ],
  };
}

/** An overhead is checked as the limits of a container are, and its errors say so. */
function overheadErrors(overhead: JsonObject | undefined, resources: ResourceNames): readonly FieldError[] {
  const amounts = amountsAt(overhead, 'podFixed');
  const names = Object.keys(objectAt(overhead, 'podFixed') ?? {});
  const errors = names.flatMap((name) => {
    const field = `overhead.limits[${name}]`;
    const amount = amounts.get(name);
    return [
      ...resources.containerErrors(name, field),
      ...(amount === undefined ? [] : amountErrors(name, amount, field, resources)),
    ];
  });
  const needsMore =
    names.some((name) => name.startsWith('hugepages-')) && !names.includes('cpu') && !names.includes('memory');
  return needsMore ? [...errors, forbidden('overhead', 'HugePages require cpu or memory')] : errors;
}

function schedulingErrors(scheduling: JsonObject | undefined): readonly FieldError[] {
  const selector = objectAt(scheduling, 'nodeSelector') ?? {};
  const tolerations = objectsAt(scheduling, 'tolerations');
  const labels = isStringMap(selector) ? validateLabels(selector, 'scheduling.nodeSelector') : [];
  return [
    ...labels,
    ...tolerations.flatMap((one, i) => tolerationErrors(one, `scheduling.tolerations.tolerations[${i}]`)),
    ...repeated(tolerations),
  ];
}

/** Each toleration is asked for once. */
function repeated(tolerations: readonly JsonObject[]): readonly FieldError[] {
  const seen = new Set<string>();
  return tolerations.flatMap((toleration, i) => {
    const printed = printedToleration(toleration);
    const again = seen.has(printed.text);
    seen.add(printed.text);
    return again ? [duplicate(`scheduling.tolerations[${i}]`, printed)] : [];
  });
}
