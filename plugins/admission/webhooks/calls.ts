/** The parts of the server that webhook plugins need. */
import type { WebhookAddress, WebhookLine } from '../../../runtime/contract/index.js';
import type { PostReview } from '../../webhook.js';

export interface WebhookCalls {
  /** Opens a connection to a webhook. `credentials` is the file with the credentials that the server presents. */
  readonly open: (address: WebhookAddress, credentials: string | undefined) => WebhookLine;
  /** Returns why a file of credentials cannot be used. */
  readonly checkCredentials: (file: string) => string | undefined;
  /** Opens a connection to the webhook of a kubeconfig. `firstMs` is the pause before the first retry. */
  readonly connect: (file: string, firstMs: number) => PostReview;
  /** Returns why such a kubeconfig cannot be used. */
  readonly checkConnection: (file: string) => string | undefined;
  /**
   * Returns whether webhooks are asked yet. While the server starts, it creates objects of its own; a webhook that
   * refused them could keep it from starting. Missing if webhooks are asked from the beginning.
   */
  readonly areAsked?: () => boolean;
}
