/** What those who count or audit requests are told of a request to a deprecated version. */

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
  /** What the audit event of the request says of it, under the names that are served. */
  readonly annotations: Readonly<Record<string, string>>;
}
