/** A request to a deprecated version, as metrics and audit are told of it. */

/** One request to a deprecated version. */
export interface DeprecatedUse {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural. */
  readonly resource: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Release that stops serving the version, as `1.29`; empty where that is undecided. */
  readonly removedRelease: string;
  /** The annotations of the request's audit event, under the names that are served. */
  readonly annotations: Readonly<Record<string, string>>;
}
