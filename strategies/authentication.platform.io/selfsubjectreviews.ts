/** SelfSubjectReview: the caller's identity as the server sees it. */
import type { SelfSubjectReview } from '../../generated/authentication.platform.io/v1alpha1/selfsubjectreviews/types.js';
import type { VirtualHandler } from '../../runtime/contract/index.js';
import { defineVirtualHandler } from '../../runtime/objects/define-virtual-handler.js';
import { formatTime } from '../../runtime/objects/scan/time.js';
import { describeUser } from './tokenreviews.js';

export const defineSelfSubjectReview = (): VirtualHandler =>
  defineVirtualHandler<SelfSubjectReview>({
    group: 'authentication.platform.io',
    resource: 'selfsubjectreviews',
    // The answer repeats only version and kind of the request.
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
