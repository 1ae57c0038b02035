/**
 * The questions of workers to the process that owns the data, and its answers. Both processes run the same program, and
 * no other user can open the socket, so the values of a message are not checked one by one.
 */
import type {
  Failure,
  GroupNumber,
  Key,
  RestoredObject,
  Revision,
  SharedChange,
  SharedCommit,
  SharedHeads,
  SharedOpened,
  SharedPage,
  SharedProposal,
  SharedRecord,
  SharedState,
} from '../../contract/index.js';
import { isObject } from '../../objects/guards.js';
import type { DriverProblem } from '../shared/errors.js';

/**
 * The format of messages. Increment the number with each change of messages. It includes the version of Node, because
 * V8 serializes them. A worker that starts after an upgrade of the program must not talk to an owner from before.
 */
export const FORMAT = `2, ${process.version}`;

/** A question of a worker. */
export type Question =
  | { readonly ask: 'open'; readonly format: string; readonly replacing: boolean }
  | { readonly ask: 'page'; readonly at: GroupNumber | undefined; readonly after: Key | undefined }
  | { readonly ask: 'follow'; readonly after: GroupNumber }
  | { readonly ask: 'unfollow' }
  | {
      readonly ask: 'commit';
      readonly writer: string;
      readonly group: readonly SharedProposal[];
      readonly head: GroupNumber | undefined;
    }
  | { readonly ask: 'look'; readonly key: Key | undefined }
  | { readonly ask: 'health' }
  | { readonly ask: 'replace'; readonly behind: Revision; readonly secret: Uint8Array | undefined }
  /** Continues the `replace` with the same number. The last one has no objects. */
  | { readonly ask: 'objects'; readonly objects: readonly RestoredObject[] }
  /** Aborts a `replace`. */
  | { readonly ask: 'abort'; readonly message: string };

/** The state of the owner's encryption. */
export interface OwnerState {
  /** For each resource, the revision up to which objects may be encrypted with an earlier key. */
  readonly stale: ReadonlyMap<string, Revision>;
  /** The keys of objects that cannot be read. */
  readonly unreadable: readonly Key[];
}

/** A page of the state at the revision of `state`. */
export interface Page extends SharedPage {
  readonly state: SharedState;
  /** The key after which the next page begins; absent at the end. */
  readonly last: Key | undefined;
}

/** A change with its writer, if the writer gave its name. */
export type WrittenChange = SharedChange & { readonly writer: string | undefined };

/** An answer to the question with the same number. `follow` gets many answers. */
export type Answer =
  | { readonly is: 'opened'; readonly opened: SharedOpened }
  | { readonly is: 'page'; readonly page: Page }
  | { readonly is: 'following' }
  /** Changes in order. */
  | { readonly is: 'changes'; readonly changes: readonly WrittenChange[] }
  | { readonly is: 'committed'; readonly commit: SharedCommit }
  | { readonly is: 'seen'; readonly heads: SharedHeads & { readonly found?: SharedRecord | undefined } }
  | { readonly is: 'health'; readonly health: string; readonly state: OwnerState }
  | { readonly is: 'replaced' }
  | {
      readonly is: 'failed';
      readonly problem: DriverProblem;
      readonly message: string;
      readonly failure?: Failure | undefined;
    };

export const isQuestion = (value: unknown): value is Question => isObject(value) && typeof value.ask === 'string';

export const isAnswer = (value: unknown): value is Answer => isObject(value) && typeof value.is === 'string';
