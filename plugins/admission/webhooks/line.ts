/** The way to admission webhooks, as whoever puts the server together opens it. */

/** Where calls go. */
export interface LineTarget {
  /** Scheme, host and port that are connected to, as in `https://10.0.0.7:443`. */
  readonly origin: string;
  /** Certificates in PEM that the webhook's own must come from; those that the host trusts where absent. */
  readonly ca?: string;
  /** The name that its certificate has to be for, where that is not the host. */
  readonly serverName?: string;
}

/** One call. */
export interface LineCall {
  /** With the query. */
  readonly path: string;
  readonly body: string;
  /** Bounds the whole call, milliseconds. */
  readonly timeoutMs: number;
}

/** An answer of any code, or why there is none, in the words of whoever tried. */
export type LineAnswer =
  | { readonly ok: true; readonly code: number; readonly contentType: string; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** Connections to one webhook, which are kept. */
export interface WebhookLine {
  /** Never rejects. Follows no redirects, and bounds what it reads. */
  post(call: LineCall): Promise<LineAnswer>;
  /** Closes connections once their calls have ended. */
  close(): void;
}

/** The parts of the server that the plugins of webhooks need. */
export interface WebhookCalls {
  readonly open: (target: LineTarget) => WebhookLine;
  /**
   * Whether webhooks are asked yet. The objects that a server makes of its own to start are not theirs to refuse: it could
   * not start again. Absent where they are asked from the beginning.
   */
  readonly areAsked?: () => boolean;
  /** The address that stands for a Service, where the options say one. */
  readonly serviceAddress?: (namespace: string, name: string) => URL | undefined;
}
