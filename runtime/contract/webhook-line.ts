/** The way to webhooks, which whoever puts a server together opens, for plugins and for definitions. */
import type { ApiObject } from './object.js';

/** Where a webhook is. */
export type WebhookAddress = {
  /** Certificates in PEM that the webhook's own must come from; those that the host trusts where absent. */
  readonly ca?: string | undefined;
} & ({ readonly url: string } | WebhookService);

/** A Service with a webhook behind it. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  readonly path: string;
}

/** One call. */
export interface WebhookCall {
  /** JSON. */
  readonly body: string;
  /** Bounds the whole call, milliseconds. */
  readonly timeoutMs: number;
  /** Finds Services by namespace and name. */
  readonly service: (namespace: string, name: string) => ApiObject | undefined;
}

/** The text of a good answer; or the problem, in words that follow those of a failed call. */
export type WebhookAnswer =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly problem: string;
      /** The HTTP code of an answer that is not good; absent where there was none. */
      readonly code?: number;
      /** Set where nothing was tried, as what is said of the webhook cannot be used. */
      readonly isUnusable?: true;
    };

/** The way to one webhook. Connections are opened when they are needed, and kept. */
export interface WebhookLine {
  /** Never rejects. Follows no redirects, and bounds what it reads. */
  post(call: WebhookCall): Promise<WebhookAnswer>;
  /** Closes connections once their calls have ended. */
  close(): void;
}
