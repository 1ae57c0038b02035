/** The answer to a request that a policy denies. */
import type { AdmissionAttributes, Failure, StatusReason } from '../../../runtime/contract/index.js';
import { codeOf } from '../../../runtime/objects/status.js';
import { refuse } from '../refuse.js';

/** Why a request is denied, and by what. */
export interface Denial {
  readonly policy: string;
  /** Absent where the policy denies by itself. */
  readonly binding: string | undefined;
  readonly message: string;
  /** As the policy gives it; empty where it gives none. */
  readonly reason: string;
}

const reasons = ['Unauthorized', 'Forbidden', 'Invalid', 'RequestEntityTooLarge'] as const;

const reasonOf = (text: string): StatusReason => reasons.find((known) => known === text) ?? 'Invalid';

export function refusal(attributes: AdmissionAttributes, { policy, binding, message, reason }: Denial): Failure {
  const by = binding === undefined ? `'${policy}'` : `'${policy}' with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy ${by} denied request: ${message}`;
  const { message: whole, details } = refuse(attributes, text, [{ message: text }]);
  const given = reasonOf(reason);
  return { reason: given, message: whole, code: codeOf(given), ...(details === undefined ? {} : { details }) };
}
