/** The form in which bindings of roles are written down, in names of the platform. */

/** A subject that is granted a role. Service accounts are those of the system namespace. */
export interface SubjectFacts {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
}

/** A binding. */
export interface BindingFacts {
  readonly name: string;
  /** Absent for bindings of cluster roles. */
  readonly namespace?: string;
  /** The role; called like the binding where absent. */
  readonly role?: string;
  readonly subjects: readonly SubjectFacts[];
}

export const user = (name: string): SubjectFacts => ({ kind: 'User', name });
export const group = (name: string): SubjectFacts => ({ kind: 'Group', name });
export const account = (name: string): SubjectFacts => ({ kind: 'ServiceAccount', name });
