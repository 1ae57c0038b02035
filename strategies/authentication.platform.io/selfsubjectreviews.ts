/** SelfSubjectReview: the caller's identity as the server sees it. */
import type { SelfSubjectReview } from '../../generated/authentication.platform.io/v1alpha1/selfsubjectreviews/types.js';
import type { VirtualHandler } from '../../runtime/contract/index.js';
import { defineVirtualHandler } from '../../runtime/objects/define-virtual-handler.js';
import { formatTime } from '../../runtime/objects/time.js';
import { describeUser } from './users.js';

export const defineSelfSubjectReview = (): VirtualHandler =>
  defineVirtualHandler<SelfSubjectReview>({
    group: 'authentication.platform.io',
    resource: 'selfsubjectreviews',
    // The answer repeats nothing of the request but its version and kind.
    create: ({ apiVersion, kind }, { user, now }) => ({
      ok: true,
      value: {
        apiVersion,
        kind,
        metadata: { creationTimestamp: formatTime(now) },
        status: { userInfo: describeUser(user) },
      },
    }),
  });
