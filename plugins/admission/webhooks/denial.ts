/** The failure of a request that a webhook denies. */
import type { Failure, JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';

/** The webhook's code, reason and details are sent as it gives them; a code that is no failure becomes 400. */
export function denial(webhook: string, status: JsonObject | undefined): Failure {
  const { code } = status ?? {};
  const [said, reason] = [stringAt(status, 'message'), stringAt(status, 'reason')];
  const by = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const why = said || reason;
  return {
    reason: 'Unknown',
    message: why === '' ? `${by} without explanation` : `${by}: ${why}`,
    code: typeof code === 'number' && code >= 400 && code <= 599 ? code : 400,
    given: { reason, details: objectAt(status, 'details') },
  };
}
