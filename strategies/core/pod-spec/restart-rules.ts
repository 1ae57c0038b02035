/** Restart policies and rules of single containers, in place of the policy of their pod. */
import type { Container, ContainerRestartRule } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { forbidden, notSupported, required, tooMany } from '../../../runtime/objects/field-error.js';
import type { Release } from '../../../runtime/objects/release.js';
import { checkOneOf, type FieldErrors } from '../../shared/field-checks.js';

/** Returns whether an init container is a sidecar, which runs beside the others. */
export const isSidecar = ({ restartPolicy }: Draft<Container>): boolean => restartPolicy === 'Always';

/** Checks the restart policy of a container that keeps running. */
export function* checkRestart(container: Draft<Container>, path: string, release: Release): FieldErrors {
  if (release.does('containersRestartAlone')) yield* checkRules(container, path);
  else if (container.restartPolicy !== undefined) {
    yield forbidden(`${path}.restartPolicy`, 'may not be set for non-init containers');
  }
}

/** Checks the restart policy of an init container. */
export function* checkInitRestart(container: Draft<Container>, path: string, release: Release): FieldErrors {
  if (release.does('containersRestartAlone')) yield* checkRules(container, path);
  else yield* checkOneOf(container.restartPolicy, `${path}.restartPolicy`, ['Always']);
}

const policies = ['Always', 'Never', 'OnFailure'] as const;
const actions = ['Restart', 'RestartAllContainers'] as const;
const operators = ['In', 'NotIn'] as const;

const maxRules = 20;
const maxExitCodes = 255;

function* checkRules({ restartPolicy, restartPolicyRules: rules = [] }: Draft<Container>, path: string): FieldErrors {
  yield* checkOneOf(restartPolicy, `${path}.restartPolicy`, policies);
  if (restartPolicy === undefined && rules.length > 0) {
    yield required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used');
  }
  const at = `${path}.restartPolicyRules`;
  if (rules.length > maxRules) yield tooMany(at, rules.length, maxRules);
  for (const [i, rule] of rules.entries()) yield* checkRule(rule, `${at}[${i}]`);
}

function* checkRule({ action = '', exitCodes }: Draft<ContainerRestartRule>, path: string): FieldErrors {
  if (!actions.some((known) => known === action)) yield notSupported(`${path}.action`, action, actions);
  const at = `${path}.exitCodes`;
  if (!exitCodes) {
    yield required(at, 'must be specified');
    return;
  }
  const { operator = '', values = [] } = exitCodes;
  if (!operators.some((known) => known === operator)) yield notSupported(`${at}.operator`, operator, operators);
  if (values.length > maxExitCodes) yield tooMany(`${at}.values`, values.length, maxExitCodes);
}
