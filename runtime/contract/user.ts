/** The user who makes a request. */

/** The identity that authentication attaches to a request. */
export interface UserInfo {
  readonly name: string;
  /** More stable than the name; empty where the method knows none. */
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}
