/** The parts of the server that the plugins of webhooks need. */
import type { WebhookAddress, WebhookLine } from '../../../runtime/contract/index.js';
import type { PostReview } from '../../webhook.js';

export interface WebhookCalls {
  /** `credentials` is the file with those that the webhook is shown. */
  readonly open: (address: WebhookAddress, credentials: string | undefined) => WebhookLine;
  /** The problem with a file of credentials. */
  readonly checkCredentials: (file: string) => string | undefined;
  /** Opens the way to the webhook that a kubeconfig names; `firstMs` is the pause before a call is tried again. */
  readonly connect: (file: string, firstMs: number) => PostReview;
  /** The problem with such a file. */
  readonly checkConnection: (file: string) => string | undefined;
  /**
   * Whether webhooks are asked yet. The objects that a server makes of its own to start are not theirs to refuse: it could
   * not start again. Absent where they are asked from the beginning.
   */
  readonly areAsked?: () => boolean;
}
