/** RuntimeClass: the additional resources of its pods, and the nodes that they run on. */
import { defineRuntimeClassHandlers } from '../../generated/node.platform.io/v1/runtimeclasses/handlers.js';
import type { Toleration } from '../../generated/types/core/v1/types.js';
import type { Overhead, Scheduling } from '../../generated/types/node/v1/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { duplicate } from '../../runtime/objects/field-error.js';
import { validateLabels } from '../../runtime/objects/names/metadata-rules.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import type { Release } from '../../runtime/objects/release.js';
import { deprecatedLabels, deprecationOf } from '../core/node-labels.js';
import { checkResources } from '../core/pod-spec/resources.js';
import { checkTolerations, printedToleration } from '../core/pod-spec/scheduling.js';
import { firstErrors } from '../shared/field-checks.js';
import { roundUpAmounts } from '../shared/resources.js';
import type { Serving } from '../shared/serving.js';

export function defineRuntimeClasses({ names, release }: Serving): KindHandlers {
  return defineRuntimeClassHandlers({
    metadataChecks: 'any finalizers',
    updateChecks: ['metadata', 'fields', 'metadata changes', 'field changes'],
    canonicalize: ({ overhead }) => roundUpAmounts(overhead?.podFixed),
    warn: ({ scheduling }) => selectorWarnings(scheduling, names),
    validate: ({ overhead, scheduling }) => [
      ...overheadErrors(overhead, names),
      ...schedulingErrors(scheduling, release),
    ],
  });
}

/** Warns about node labels that have newer names. */
function selectorWarnings({ nodeSelector = {} }: Draft<Scheduling> = {}, names: Naming): readonly string[] {
  const labels = deprecatedLabels(names);
  return Object.keys(nodeSelector).flatMap((label) => {
    const advice = deprecationOf(label, labels);
    return advice === undefined ? [] : [`scheduling.nodeSelector: ${advice}`];
  });
}

/** An overhead is checked like the limits of a container, and its errors say so. */
const overheadErrors = ({ podFixed = {} }: Draft<Overhead> = {}, names: Naming): readonly FieldError[] =>
  firstErrors(checkResources({ limits: podFixed }, 'overhead', names, new Set()));

function schedulingErrors(
  { nodeSelector = {}, tolerations = [] }: Draft<Scheduling> = {},
  release: Release,
): readonly FieldError[] {
  const path = release.does('exactTolerationErrors') ? 'scheduling.tolerations' : 'scheduling.tolerations.tolerations';
  return [
    ...validateLabels(nodeSelector, 'scheduling.nodeSelector'),
    ...firstErrors(checkTolerations(tolerations, path, release)),
    ...repeated(tolerations),
  ];
}

/** Each toleration occurs once, whatever time it is for. */
function repeated(tolerations: readonly Draft<Toleration>[]): readonly FieldError[] {
  const seen = new Set<string>();
  return tolerations.flatMap((toleration, i) => {
    const { text } = printedToleration({ ...toleration, tolerationSeconds: undefined });
    const again = seen.has(text);
    seen.add(text);
    return again ? [duplicate(`scheduling.tolerations[${i}]`, printedToleration(toleration))] : [];
  });
}
