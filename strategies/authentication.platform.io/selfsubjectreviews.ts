/** SelfSubjectReview: who the caller is to the server. */
import type { VirtualHandler } from '../../runtime/contract/index.js';
import { formatTime } from '../../runtime/objects/time/time.js';
import { describeUser } from './users.js';

export function defineSelfSubjectReview(): VirtualHandler {
  return {
    group: 'authentication.platform.io',
    resource: 'selfsubjectreviews',
    // Nothing of what was sent has a meaning, so nothing of it is answered.
    create: ({ apiVersion, kind }, { user, now }) => ({
      ok: true,
      value: {
        apiVersion,
        kind,
        metadata: { creationTimestamp: formatTime(now) },
        status: { userInfo: describeUser(user) },
      },
    }),
  };
}
