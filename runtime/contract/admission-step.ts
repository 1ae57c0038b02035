/** A step of admission, as a request that asks for explanations is told of it. */
import type { JsonObject, JsonValue } from './json.js';

/** The effect of a plugin, a webhook or a policy on a write. */
export interface AdmissionStep {
  readonly kind: 'plugin' | 'webhook' | 'policy';
  readonly name: string;
  /** The configuration of a webhook, or the binding of a policy. */
  readonly of?: string;
  readonly step: 'admit' | 'validate';
  /** `unanswered` and `passed over` are those of a webhook that has failed, and whose policy refuses or lets pass. */
  readonly outcome: 'admitted' | 'changed' | 'denied' | 'unanswered' | 'passed over' | 'not asked';
  /** The reason for the outcome. */
  readonly message?: string;
  readonly milliseconds?: number;
  /** The request that a webhook was sent. */
  readonly request?: JsonObject;
  /** The changes, as operations of a JSON patch. */
  readonly patch?: JsonValue;
  readonly warnings?: readonly string[];
}

/** Told of each step, in order. */
export type ExplainAdmission = (step: AdmissionStep) => void;
