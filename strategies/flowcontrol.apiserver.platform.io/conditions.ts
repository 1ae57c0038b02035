/** Conditions of flow control: each has a type. */
import type { FlowSchemaCondition } from '../../generated/types/flowcontrol/v1beta3/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { required } from '../../runtime/objects/field-error.js';

/** Errors of the conditions of a flow schema or priority level. */
export const flowConditionErrors = (conditions: readonly Draft<FlowSchemaCondition>[] = []): readonly FieldError[] =>
  conditions.flatMap(({ type }, i) => (type ? [] : [required(`status.conditions[${i}].type`, 'must not be empty')]));
