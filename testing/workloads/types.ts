/** The kinds of simulated workloads, with the fields that they use. */
import type { ApiObjectLike, ObjectMeta } from '../../client/index.js';

export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  lastUpdateTime?: string;
  lastProbeTime?: string;
  lastHeartbeatTime?: string;
}

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

export interface PodTemplate {
  metadata?: ObjectMeta;
  spec?: PodSpec;
}

export interface PodSpec {
  nodeName?: string;
  schedulerName?: string;
  schedulingGates?: object[];
  nodeSelector?: Record<string, string>;
  restartPolicy?: string;
  hostNetwork?: boolean;
  hostname?: string;
  subdomain?: string;
  containers?: Container[];
  initContainers?: Container[];
  volumes?: { name: string; persistentVolumeClaim?: { claimName: string } }[];
}

export interface Container {
  name: string;
  image?: string;
  env?: object[];
}

export interface PodStatus {
  phase?: string;
  conditions?: Condition[];
  containerStatuses?: object[];
  initContainerStatuses?: object[];
  hostIP?: string;
  podIP?: string;
  podIPs?: { ip: string }[];
  startTime?: string;
}

export interface Pod extends ApiObjectLike {
  spec?: PodSpec;
  status?: PodStatus;
}

/** The part that all specs of workloads have. */
export interface ReplicaSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector?: LabelSelector;
  template?: PodTemplate;
}

export interface ReplicaSetStatus {
  replicas?: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  observedGeneration?: number;
  conditions?: Condition[];
}

export interface ReplicaSet extends ApiObjectLike {
  spec?: ReplicaSpec;
  status?: ReplicaSetStatus;
}

/** A number, or a percentage as `25%`. */
export type IntOrPercent = number | string;

export interface DeploymentSpec extends ReplicaSpec {
  paused?: boolean;
  revisionHistoryLimit?: number;
  progressDeadlineSeconds?: number;
  strategy?: { type?: string; rollingUpdate?: { maxSurge?: IntOrPercent; maxUnavailable?: IntOrPercent } };
}

export interface DeploymentStatus {
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  observedGeneration?: number;
  collisionCount?: number;
  conditions?: Condition[];
}

export interface Deployment extends ApiObjectLike {
  spec?: DeploymentSpec;
  status?: DeploymentStatus;
}

export interface ClaimTemplate {
  metadata?: ObjectMeta;
  spec?: object;
}

export interface StatefulSetSpec extends ReplicaSpec {
  serviceName?: string;
  podManagementPolicy?: string;
  revisionHistoryLimit?: number;
  updateStrategy?: { type?: string; rollingUpdate?: { partition?: number } };
  volumeClaimTemplates?: ClaimTemplate[];
  ordinals?: { start?: number };
}

export interface StatefulSetStatus {
  replicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  currentReplicas?: number;
  updatedReplicas?: number;
  currentRevision?: string;
  updateRevision?: string;
  observedGeneration?: number;
  collisionCount?: number;
}

export interface StatefulSet extends ApiObjectLike {
  spec?: StatefulSetSpec;
  status?: StatefulSetStatus;
}

/** An earlier or the current template of a set. `data` is a patch that rolls the set back to it. */
export interface ControllerRevision extends ApiObjectLike {
  data?: { spec: { template: PodTemplate } };
  revision?: number;
}

export interface Claim extends ApiObjectLike {
  spec?: object;
}

export interface JobStatus {
  active?: number;
  ready?: number;
  succeeded?: number;
  failed?: number;
  startTime?: string;
  completionTime?: string;
  completedIndexes?: string;
  conditions?: Condition[];
}

export interface Job extends ApiObjectLike {
  spec?: {
    completions?: number;
    parallelism?: number;
    backoffLimit?: number;
    activeDeadlineSeconds?: number;
    completionMode?: string;
    suspend?: boolean;
    selector?: LabelSelector;
    template?: PodTemplate;
  };
  status?: JobStatus;
}

export interface Node extends ApiObjectLike {
  spec?: { unschedulable?: boolean; taints?: { key: string; effect: string }[] };
  status?: NodeStatus;
}

export interface NodeStatus {
  conditions?: Condition[];
  addresses?: { type: string; address: string }[];
  capacity?: Record<string, string>;
  allocatable?: Record<string, string>;
  nodeInfo?: Record<string, string>;
}

export interface Lease extends ApiObjectLike {
  spec?: { holderIdentity?: string; leaseDurationSeconds?: number; renewTime?: string };
}
