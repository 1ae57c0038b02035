/** Connections to webhooks. The code that assembles a server opens them, for plugins and for definitions. */
import type { ApiObject } from './object.js';

/** An object as events name it. */
export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for objects of the cluster. */
  readonly namespace?: string | undefined;
  readonly name: string;
  /** Absent if the object is not stored. */
  readonly uid?: string | undefined;
}

export type WebhookAddress = {
  /** The object that configures the webhook. Events about the webhook name it. */
  readonly configuredBy?: EventSubject | undefined;
  /** The authorities that may sign the webhook's certificate, in PEM. Default: the authorities that the host trusts. */
  readonly ca?: string | undefined;
} & ({ readonly url: string } | WebhookService);

/** A Service with a webhook behind it. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  readonly path: string;
}

export interface WebhookCall {
  /** Returns the JSON. Called when the call gets its turn, so that waiting calls hold no bodies in memory. */
  readonly body: () => string;
  /** The time limit of the whole call, in milliseconds. */
  readonly timeoutMs: number;
  /** Set if this is shorter than the webhook's own limit, because the waiting request has less time left. */
  readonly isShortened?: boolean;
  /** Finds Services by namespace and name. */
  readonly service: (namespace: string, name: string) => ApiObject | undefined;
}

/** The text of a successful answer, or the problem, as a continuation of the sentence about a failed call. */
export type WebhookAnswer =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly problem: string;
      /** The HTTP code of a failed answer; absent without an answer. */
      readonly code?: number;
      /** Set if no call was made, because the webhook's address or certificates cannot be used. */
      readonly isUnusable?: true;
    };

/** The connections to one webhook. They open when needed and stay open. */
export interface WebhookLine {
  /** Posts a call. Never rejects, does not follow redirects, and limits the size of the answer. */
  post(call: WebhookCall): Promise<WebhookAnswer>;
  /** Closes each connection once its calls have ended. */
  close(): void;
}
