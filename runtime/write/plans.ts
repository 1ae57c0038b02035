/** How a write differs from others of its verb: what the caller of the pipeline decides. */
import type { ApiObject, Failure, Result } from '../contract/index.js';
import type { Steps } from '../objects/turns.js';
import type { Outcome } from '../request/outcome.js';

/** How an object is created. */
export interface CreatePlan {
  /** Whether the owners of its fields are recorded already. */
  readonly owned?: boolean;
  /** Whether the request was for another verb, so that it has not been checked yet whether its user may create. */
  readonly unasked?: boolean;
}

/** Shows the object as another kind, as a subresource does. */
export interface AdmittedView {
  readonly of: (object: ApiObject) => Result<ApiObject>;
  /** Brings what plugins changed back into the object, in place. */
  readonly into: (object: ApiObject, view: ApiObject) => Failure | undefined;
}

/** Changes the stored object. */
export interface UpdatePlan {
  /**
   * Yields the object to store, decoded, pruned, defaulted and with its owners recorded. It leaves the current one as
   * it is and shares nothing with it but entries of managedFields; `draftOf` makes a copy to begin with. Called again
   * when another writer was faster.
   */
  readonly next: (current: ApiObject) => Steps<Result<ApiObject>>;
  /** Shows admission another kind in place of the object. */
  readonly view?: AdmittedView;
  /** Makes the object where there is none yet; absent where an update cannot create. */
  readonly create?: () => Promise<Result<Outcome>>;
  /** The uid that a replacement says the object has; empty where it says none. */
  readonly uid: string;
  /** Whether the client named the revision it means, so that a lost race is its conflict to solve. */
  readonly pinned: boolean;
  /** How often to start again after a lost race when the client named no revision. */
  readonly attempts: number;
}

/** The options of a delete, checked. */
export interface DeletePlan {
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string };
  /** How dependents are treated; as the kind has it where absent. */
  readonly propagation?: 'Orphan' | 'Foreground' | 'Background';
  /** For how long the object may go on; the kind's own time where absent. */
  readonly gracePeriodSeconds?: number;
}
