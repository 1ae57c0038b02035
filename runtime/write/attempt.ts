/** One attempt of a write on its way through the stages, which change it. */
import type { ApiObject, Entry, Guard, Operation } from '../contract/index.js';
import type { CreatePlan, DeletePlan, UpdatePlan } from './plans.js';
import type { Write } from './write.js';

/** The values that a write has claimed for its object alone. */
export interface Assignment {
  /** These have to hold when the object is committed. */
  readonly guards: readonly Guard[];
  /** Whether there are objects which say that this one, under its name, holds the values. */
  readonly recorded: boolean;
  /** Says that the object has been committed. */
  keep(): void;
  /** Ends the claims; called once, however the write ends. Resolves when nothing is left of them. */
  release(): Promise<void> | undefined;
}

/** The assignment of an object that needs no values. */
export const nothingAssigned: Assignment = { guards: [], recorded: false, keep() {}, release: () => undefined };

/** The part that all attempts share. */
export interface Attempt {
  readonly operation: Operation;
  readonly write: Write;
  /** The object as it is to be stored; stages change it in place. */
  object: ApiObject;
  /** The object as it is stored; it is never changed. */
  readonly old: ApiObject | undefined;
  assignment: Assignment;
}

export interface CreateAttempt extends Attempt {
  readonly operation: 'CREATE';
  readonly plan: CreatePlan;
  readonly old: undefined;
  /** Whether the server has made up the name. */
  generated: boolean;
}

export interface UpdateAttempt extends Attempt {
  readonly operation: 'UPDATE';
  readonly plan: UpdatePlan;
  /** The entry that the update starts from, and replaces. */
  readonly entry: Entry;
  readonly old: ApiObject;
}

export interface DeleteAttempt extends Attempt {
  readonly operation: 'DELETE';
  readonly plan: DeletePlan;
  /** The entry that the delete replaces or removes; its own once it has marked the object. */
  entry: Entry;
  readonly old: ApiObject;
  /** Whether validating admission has admitted the delete already, as a part of another request. */
  readonly admitted: boolean;
  /** Whether the object's time to end has just been set. */
  graceBegun: boolean;
  /** The finalizers that the object is left with. */
  finalizers: readonly string[];
}
