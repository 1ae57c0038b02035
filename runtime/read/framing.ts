/** How the events of a watch follow each other on the wire; this file has the usual way, one line of JSON each. */
import type { Revision } from '../contract/index.js';
import type { Representation } from '../request/representation/representation.js';

/** A way to put events on the wire. What is made of a line for one watcher is shared by all. */
export interface WatchFraming {
  contentType(representation: Representation): string;
  /**
   * Sent before everything else; `withState`: the state comes next, so that what a client knows from before is void.
   */
  opening(withState: boolean): Uint8Array | undefined;
  /** An event of the state that a watch begins with. Nobody can go on from within the state: its revisions jump. */
  state(line: Uint8Array): Uint8Array;
  /** An event after which all changes up to a revision have been sent. */
  change(line: Uint8Array, revision: Revision): Uint8Array;
  /**
   * Says, without an event, that all changes up to a revision have been sent; absent where nothing can say so.
   * `endsState`: and that the state is whole.
   */
  position(revision: Revision, endsState: boolean): Uint8Array | undefined;
  /** The error that ends a watch; `lost`: nobody can go on from where this one was. */
  failure(line: Uint8Array, lost: boolean): Uint8Array;
  /** How often the position is told while nothing happens, milliseconds; absent for never. */
  readonly keepAliveMs?: number;
}

const asIs = (line: Uint8Array): Uint8Array => line;

/** Lines of JSON. */
export const lines: WatchFraming = {
  contentType: ({ streamContentType }) => streamContentType,
  opening: () => undefined,
  state: asIs,
  change: asIs,
  position: () => undefined,
  failure: asIs,
};
