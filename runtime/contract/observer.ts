/** The measurements that parts of a server report about their own work; the metrics are made from them. */
import type { ResourceModule } from './resource.js';

/** The place of an admission decision: a plugin, or a whole step if `plugin` is absent. */
export interface AdmissionPlace {
  readonly plugin?: string;
  readonly step: 'admit' | 'validate';
  /** As in `CREATE`. */
  readonly operation: string;
}

/** Receives each decision at one place. */
export type AdmissionObserver = (rejected: boolean, seconds: number) => void;

/** One evaluation of an admission policy through one of its bindings. */
export interface PolicyCheck {
  readonly policy: string;
  readonly binding: string;
  /** The action that was taken, reported once per action; `allow` if all validations held. */
  readonly action: 'allow' | 'deny' | 'warn' | 'audit';
}

/** A pod, or a workload that makes pods, under a security check. */
export interface PodSecuritySubject {
  /** As in `CREATE`. */
  readonly operation: string;
  readonly resource: 'pod' | 'controller';
  readonly subresource: string;
}

/** The result of one pod security check against one policy. */
export interface PodSecurityJudgement extends PodSecuritySubject {
  readonly mode: 'enforce' | 'audit' | 'warn';
  readonly decision: 'allow' | 'deny';
  readonly level: string;
  /** `latest`, a version as in `v1.27`, or `future` for a version that is not released. */
  readonly version: string;
}

/** The answer of one webhook to a write. */
export interface WebhookDecision {
  readonly name: string;
  readonly step: AdmissionPlace['step'];
  readonly operation: string;
  /**
   * A webhook that failed is `unanswered` if the server refuses the write, and `passed over` if the write goes on.
   * `unusable` means that the server could not use the answer.
   */
  readonly outcome: 'admitted' | 'denied' | 'unanswered' | 'passed over' | 'unusable';
  /** The resulting HTTP code; 0 if there is none. */
  readonly code: number;
}

/** The owner of the conditions that a request must meet: a webhook by its step, or a policy. */
export interface ConditionOwner {
  readonly name: string;
  readonly kind: AdmissionPlace['step'] | 'policy';
}

/** Receives the objects that one watch sends. */
export interface WatchObserver {
  event(bytes: number): void;
  /** Counts an object of the watch's initial state. */
  initial(): void;
  /** Records that the watch has sent the whole state that the client asked for. Absent if nobody counts it. */
  stateSent?(scope: WatchScope, seconds: number): void;
}

/** The part of a resource that a watch is about: all objects, one namespace, or one object. */
export type WatchScope = 'cluster' | 'namespace' | 'resource';

/** A value that a service got, or could not get. */
export interface ServiceAllocation {
  readonly pool: 'clusterIPs' | 'nodePorts';
  /** The block of an address, as in `10.0.0.0/16`; empty for node ports. */
  readonly block: string;
  /** Whether the service requested this value. */
  readonly isAsked: boolean;
  readonly isGiven: boolean;
}

/** One use of a mutating policy through one of its bindings. */
export interface MutationCheck {
  readonly policy: string;
  readonly binding: string;
  readonly failed: boolean;
}

/** Receives what was done and how many seconds it took. Never throws, and costs less than the work it measures. */
export interface Observer {
  /** Returns the function that receives decisions at a place. Called once per place, not per decision. */
  admission(place: AdmissionPlace): AdmissionObserver;
  watching(resource: ResourceModule): WatchObserver;
  /** Counts the objects that a list read, and the objects that it returned. */
  listed(resource: ResourceModule, fetched: number, returned: number): void;
  /** Records the compilation of a policy's expressions. */
  compiled(seconds: number): void;
  /** Records the evaluation of a policy or a schema for one object. */
  evaluated(seconds: number): void;
  /** Records the size of a body that a write brought. Absent if nobody counts it. */
  bodyRead?(resource: ResourceModule, method: string, bytes: number): void;
  /** Records how long the comparison of an update with the old object took. Absent if nobody counts it. */
  ratcheted?(seconds: number): void;
  /** Counts a value of a service, and records how long the search for a free value took. */
  allocated(allocation: ServiceAllocation, seconds: number): void;
  /** Counts an issued certificate with a requested duration. `isHonored` says whether it has that duration. */
  certificateIssued(signer: string, isHonored: boolean): void;
  mutationChecked(check: MutationCheck, seconds: number): void;
  deprecatedUse(use: DeprecatedUse): void;
  policyChecked(check: PolicyCheck, seconds: number): void;
  podSecurityJudged(judgement: PodSecurityJudgement): void;
  podSecurityExempted(subject: PodSecuritySubject): void;
  webhookAsked(decision: WebhookDecision, seconds: number): void;
  /** Counts conditions that could not be evaluated. */
  conditionsFailed(owner: ConditionOwner, mistakes: number): void;
}

/** The measurements of storage, which opens before the server exists. */
export interface StorageObserver {
  /** Records a batch of changes that the backend made durable. */
  committed(changes: number, seconds: number): void;
  /** Records an answer of etcd or PostgreSQL. `type` is the key's resource; empty for requests about several. */
  asked(operation: string, type: string, seconds: number): void;
  /** Records a call of etcd that failed. */
  failed(operation: string, type: string, seconds: number): void;
  /** Receives the size of the data, whenever it is known. `cluster` is as in `etcd-0`. */
  sized(cluster: string, bytes: number): void;
  /** Counts an object that is not served because it is damaged. `key` is empty if it cannot be read. */
  damaged(key: string): void;
}

/** The direction of a stored value. */
export type TransformationType = 'from_storage' | 'to_storage';

/** The measurements of encryption at rest. `keyId` is the id that a key service gave its key. */
export interface EncryptionObserver {
  /** Records a value that was encrypted or decrypted. `problem` is empty if it succeeded. */
  transformed(type: TransformationType, prefix: string, seconds: number, problem: string): void;
  /** Records a call of a key service. `code` is the name of gRPC's code, as in `OK`. */
  asked(provider: string, method: string, seconds: number, code: string): void;
  keyUsed(type: TransformationType, provider: string, keyId: string): void;
  /** Records the key that a service reports as its current one. */
  statusKey(provider: string, keyId: string): void;
  invalidKey(provider: string, error: string): void;
  /** Counts a data key that was not cached, so a service had to decrypt it. */
  missed(): void;
  /** Records how long it took to make a data key. */
  made(seconds: number): void;
  /** Records that the configuration was read again, and whether it is used. */
  reloaded(used: boolean): void;
}

/** Reads the time and sets timers. */
export interface Clock {
  /** Returns milliseconds since an arbitrary moment; never goes back. */
  monotonicMs(): number;
  /** Returns milliseconds since 1970 by the machine's clock. */
  wallMs(): number;
  /** Calls a function after a time in milliseconds. The returned function cancels the call. */
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
  /** The release that stops serving the version, as in `1.29`; empty if not decided. */
  readonly removedRelease: string;
  /** The annotations of the request's audit event, in platform names. */
  readonly annotations: Readonly<Record<string, string>>;
}
