/** The measurements that parts of a server report of their own work; metrics are made of them. */
import type { ResourceModule } from './resource.js';

/** Where admission decides: in a plugin, or in all plugins of a step where none is named. */
export interface AdmissionPlace {
  readonly plugin?: string;
  readonly step: 'admit' | 'validate';
  /** As in `CREATE`. */
  readonly operation: string;
}

/** Told of each decision at one place. */
export type AdmissionObserver = (rejected: boolean, seconds: number) => void;

/** One evaluation of an admission policy through one of its bindings. */
export interface PolicyCheck {
  readonly policy: string;
  readonly binding: string;
  /** One of the actions that followed, each of which is told, or `allow` where all validations held. */
  readonly action: 'allow' | 'deny' | 'warn' | 'audit';
}

/** A pod, or a workload that makes pods, whose security is looked at. */
export interface PodSecuritySubject {
  /** As in `CREATE`. */
  readonly operation: string;
  readonly resource: 'pod' | 'controller';
  readonly subresource: string;
}

/** One pod held against one policy. */
export interface PodSecurityJudgement extends PodSecuritySubject {
  readonly mode: 'enforce' | 'audit' | 'warn';
  readonly decision: 'allow' | 'deny';
  readonly level: string;
  /** `latest`, a version as in `v1.27`, or `future` where it is still to come. */
  readonly version: string;
}

/** One webhook that has been asked about a write. */
export interface WebhookDecision {
  readonly name: string;
  readonly step: AdmissionPlace['step'];
  readonly operation: string;
  /**
   * `unanswered` where it has failed and the write is refused for it, `passed over` where the write went on, and `unusable`
   * where the server could not work with its answer.
   */
  readonly outcome: 'admitted' | 'denied' | 'unanswered' | 'passed over' | 'unusable';
  /** The HTTP code of what came of it; 0 where there is none. */
  readonly code: number;
}

/** The owner of conditions that a request has to meet: a webhook by its step, or a policy. */
export interface ConditionOwner {
  readonly name: string;
  readonly kind: AdmissionPlace['step'] | 'policy';
}

/** Told of the objects that one watch sends. */
export interface WatchObserver {
  event(bytes: number): void;
  /** One object of the state that a watch begins with. */
  initial(): void;
}

/** Told of what has been done and how many seconds it took. Never throws, and costs less than what it is told of. */
export interface Observer {
  /** Returns the function that is told of decisions at a place; asked for once a place, not for each decision. */
  admission(place: AdmissionPlace): AdmissionObserver;
  watching(resource: ResourceModule): WatchObserver;
  /** Objects that a list looked at, and those that it answered with. */
  listed(resource: ResourceModule, fetched: number, returned: number): void;
  /** The expressions of a policy were compiled. */
  compiled(seconds: number): void;
  /** Those of a policy or a schema were evaluated for one object. */
  evaluated(seconds: number): void;
  deprecatedUse(use: DeprecatedUse): void;
  policyChecked(check: PolicyCheck, seconds: number): void;
  podSecurityJudged(judgement: PodSecurityJudgement): void;
  podSecurityExempted(subject: PodSecuritySubject): void;
  webhookAsked(decision: WebhookDecision, seconds: number): void;
  /** Conditions could not be evaluated. */
  conditionsFailed(owner: ConditionOwner, mistakes: number): void;
}

/** The same for storage, which is open before there is a server. */
export interface StorageObserver {
  /** The backend has made a batch of changes durable. */
  committed(changes: number, seconds: number): void;
  /** etcd has answered; `type` is the key's resource, or empty where a request is about several. */
  asked(operation: string, type: string, seconds: number): void;
}

/** Tells the time and wakes who waits. */
export interface Clock {
  /** Milliseconds since any moment; never goes back, and stands still for nobody. */
  monotonicMs(): number;
  /** Milliseconds since 1970, as the machine has it. */
  wallMs(): number;
  /** Acts after a time in milliseconds; the answer calls that off. */
  after(ms: number, act: () => void): () => void;
}

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
  /** The annotations of the request's audit event, under the names that are served. */
  readonly annotations: Readonly<Record<string, string>>;
}
