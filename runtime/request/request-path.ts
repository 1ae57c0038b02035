/** The path of a request, taken apart into what it speaks of. */

/** The path of a request, decoded and taken apart once for all that look at it. */
export interface RequestPath {
  /** As it was sent. */
  readonly sent: string;
  /** Without its percent-encoding (RFC 3986, 2.1), or as it came where that is malformed. */
  readonly text: string;
  /** The parts between its slashes. The first is empty; slashes at the end add none. */
  readonly parts: readonly string[];
  /** The resource that it goes on to; undefined where it does not, and where it is malformed. */
  readonly resource: ResourcePath | undefined;
}

/** The names in an API path, empty for parts that it does not have. */
export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly plural: string;
  readonly name: string;
  readonly subresource: string;
  /** Whether the path has a place for a namespace, which may be empty: `/namespaces//pods`. */
  readonly namespaced: boolean;
  /** The deprecated `/watch/` form, in which a GET is a watch. */
  readonly watch: boolean;
}
