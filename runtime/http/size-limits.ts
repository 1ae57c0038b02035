/** How much the parts of a request may be, and how many connections and streams a server has. */

export interface SizeLimits {
  /** Bytes of all headers together; over HTTP/2 it is 16 KiB at most. */
  readonly headerBytes: number;
  /** Headers of a request. */
  readonly headers: number;
  /** Bytes of a URL. */
  readonly urlBytes: number;
  /** Open connections of all places where the server listens. */
  readonly connections: number;
  /** Requests at a time on one HTTP/2 connection, watches among them. */
  readonly http2Streams: number;
}

/** Headers and streams are as many as in the reference; it has no limit on the others. */
export const usualSizes: SizeLimits = {
  headerBytes: 1024 * 1024,
  headers: 25_000,
  urlBytes: 64 * 1024,
  connections: 10_000,
  http2Streams: 250,
};
