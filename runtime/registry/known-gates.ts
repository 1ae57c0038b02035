/** The gates of every release from 1.27 on, each with its stages. */
import { isReached, type Release } from '../objects/release.js';

/** A gate's stage in the life cycle: alpha is off as a rule, beta is on, and GA has nothing left to switch. */
export type GateStage = 'alpha' | 'beta' | 'ga' | 'deprecated';

/** One gate, in one release. */
export interface Gate {
  readonly stage: GateStage;
  readonly byDefault: boolean;
  /** Whether it can no longer be switched. */
  readonly locked: boolean;
}

/** A stage with its usual default, or with the other one; `gone` if flags refuse the gate. */
type State = 'alpha' | 'alphaOn' | 'beta' | 'betaOff' | 'ga' | 'gaOpen' | 'deprecated' | 'deprecatedOn' | 'gone';

const states: Readonly<Record<Exclude<State, 'gone'>, Gate>> = {
  alpha: { stage: 'alpha', byDefault: false, locked: false },
  alphaOn: { stage: 'alpha', byDefault: true, locked: false },
  beta: { stage: 'beta', byDefault: true, locked: false },
  betaOff: { stage: 'beta', byDefault: false, locked: false },
  ga: { stage: 'ga', byDefault: true, locked: true },
  gaOpen: { stage: 'ga', byDefault: true, locked: false },
  deprecated: { stage: 'deprecated', byDefault: false, locked: false },
  deprecatedOn: { stage: 'deprecated', byDefault: true, locked: false },
};

/** The states of a gate, each from a release on. */
type GateHistory = Readonly<Record<string, State>>;

/** Returns the gates that a release knows, by name. */
export function gatesIn(release: Release): ReadonlyMap<string, Gate> {
  const known = new Map<string, Gate>();
  for (const [name, history] of Object.entries(gateHistories)) {
    const state = stateIn(history, machineryGates.has(name) ? release.machinery : release.name);
    if (state !== undefined && state !== 'gone') known.set(name, states[state]);
  }
  return known;
}

/** Returns the last default of a gate that a release no longer knows. Gates that are still to come are off. */
export function endOf(gate: string, release: Release): boolean {
  if (!Object.hasOwn(gateHistories, gate)) return false;
  const history = gateHistories[gate] ?? {};
  if (stateIn(history, release.name) !== 'gone') return false;
  const last = Object.values(history).findLast((state) => state !== 'gone');
  return last !== undefined && states[last].byDefault;
}

function stateIn(history: GateHistory, release: string): State | undefined {
  return Object.entries(history).findLast(([since]) => isReached(since, release))?.[1];
}

/** Gates of the machinery for custom resources. They are as in the latest release if none is emulated. */
const machineryGates: ReadonlySet<string> = new Set<string>([]);

/** In the order of their names. Gates that only nodes obey are among them: servers take the same flag. */
const gateHistories: Readonly<Record<string, GateHistory>> = {
  AdmissionWebhookMatchConditions: { '1.27': 'alpha' },
  AdvancedAuditing: { '1.27': 'ga' },
  AggregatedDiscoveryEndpoint: { '1.27': 'beta' },
  AnyVolumeDataSource: { '1.27': 'beta' },
  APIListChunking: { '1.27': 'beta' },
  APIPriorityAndFairness: { '1.27': 'beta' },
  APIResponseCompression: { '1.27': 'beta' },
  APISelfSubjectReview: { '1.27': 'beta' },
  APIServerIdentity: { '1.27': 'beta' },
  APIServerTracing: { '1.27': 'beta' },
  AppArmor: { '1.27': 'beta' },
  CloudControllerManagerWebhook: { '1.27': 'alpha' },
  CloudDualStackNodeIPs: { '1.27': 'alpha' },
  ClusterTrustBundle: { '1.27': 'alpha' },
  ComponentSLIs: { '1.27': 'beta' },
  ConsistentHTTPGetHandlers: { '1.27': 'ga' },
  ContainerCheckpoint: { '1.27': 'alpha' },
  ContextualLogging: { '1.27': 'alpha' },
  CPUManager: { '1.27': 'ga' },
  CPUManagerPolicyAlphaOptions: { '1.27': 'alpha' },
  CPUManagerPolicyBetaOptions: { '1.27': 'beta' },
  CPUManagerPolicyOptions: { '1.27': 'beta' },
  CronJobTimeZone: { '1.27': 'ga' },
  CrossNamespaceVolumeDataSource: { '1.27': 'alpha' },
  CSIMigrationAzureFile: { '1.27': 'ga' },
  CSIMigrationGCE: { '1.27': 'ga' },
  CSIMigrationPortworx: { '1.27': 'betaOff' },
  CSIMigrationRBD: { '1.27': 'alpha' },
  CSIMigrationvSphere: { '1.27': 'ga' },
  CSINodeExpandSecret: { '1.27': 'beta' },
  CSIStorageCapacity: { '1.27': 'ga' },
  CSIVolumeHealth: { '1.27': 'alpha' },
  CustomCPUCFSQuotaPeriod: { '1.27': 'alpha' },
  CustomResourceValidationExpressions: { '1.27': 'beta' },
  DelegateFSGroupToCSIDriver: { '1.27': 'ga' },
  DevicePlugins: { '1.27': 'ga' },
  DisableAcceleratorUsageMetrics: { '1.27': 'ga' },
  DisableCloudProviders: { '1.27': 'alpha' },
  DisableKubeletCloudCredentialProviders: { '1.27': 'alpha' },
  DownwardAPIHugePages: { '1.27': 'ga' },
  DryRun: { '1.27': 'ga' },
  DynamicResourceAllocation: { '1.27': 'alpha' },
  EfficientWatchResumption: { '1.27': 'ga' },
  ElasticIndexedJob: { '1.27': 'beta' },
  EndpointSliceTerminatingCondition: { '1.27': 'ga' },
  EventedPLEG: { '1.27': 'alpha' },
  ExecProbeTimeout: { '1.27': 'ga' },
  ExpandedDNSConfig: { '1.27': 'beta' },
  ExperimentalHostUserNamespaceDefaulting: { '1.27': 'betaOff' },
  GracefulNodeShutdown: { '1.27': 'beta' },
  GracefulNodeShutdownBasedOnPodPriority: { '1.27': 'beta' },
  GRPCContainerProbe: { '1.27': 'ga' },
  HonorPVReclaimPolicy: { '1.27': 'alpha' },
  HPAContainerMetrics: { '1.27': 'beta' },
  HPAScaleToZero: { '1.27': 'alpha' },
  InPlacePodVerticalScaling: { '1.27': 'alpha' },
  InTreePluginAWSUnregister: { '1.27': 'alpha' },
  InTreePluginAzureDiskUnregister: { '1.27': 'alpha' },
  InTreePluginAzureFileUnregister: { '1.27': 'alpha' },
  InTreePluginGCEUnregister: { '1.27': 'alpha' },
  InTreePluginOpenStackUnregister: { '1.27': 'alpha' },
  InTreePluginPortworxUnregister: { '1.27': 'alpha' },
  InTreePluginRBDUnregister: { '1.27': 'alpha' },
  InTreePluginvSphereUnregister: { '1.27': 'alpha' },
  IPTablesOwnershipCleanup: { '1.27': 'beta' },
  JobMutableNodeSchedulingDirectives: { '1.27': 'ga' },
  JobPodFailurePolicy: { '1.27': 'beta' },
  JobReadyPods: { '1.27': 'beta' },
  JobTrackingWithFinalizers: { '1.27': 'ga' },
  KMSv2: { '1.27': 'beta' },
  KubeletCredentialProviders: { '1.27': 'ga' },
  KubeletInUserNamespace: { '1.27': 'alpha' },
  KubeletPodResources: { '1.27': 'beta' },
  KubeletPodResourcesDynamicResources: { '1.27': 'alpha' },
  KubeletPodResourcesGet: { '1.27': 'alpha' },
  KubeletPodResourcesGetAllocatable: { '1.27': 'beta' },
  KubeletTracing: { '1.27': 'beta' },
  LegacyServiceAccountTokenNoAutoGeneration: { '1.27': 'ga' },
  LegacyServiceAccountTokenTracking: { '1.27': 'beta' },
  LocalStorageCapacityIsolationFSQuotaMonitoring: { '1.27': 'alpha' },
  LogarithmicScaleDown: { '1.27': 'beta' },
  LoggingAlphaOptions: { '1.27': 'alpha' },
  LoggingBetaOptions: { '1.27': 'beta' },
  MatchLabelKeysInPodTopologySpread: { '1.27': 'beta' },
  MaxUnavailableStatefulSet: { '1.27': 'alpha' },
  MemoryManager: { '1.27': 'beta' },
  MemoryQoS: { '1.27': 'alpha' },
  MinDomainsInPodTopologySpread: { '1.27': 'beta' },
  MinimizeIPTablesRestore: { '1.27': 'beta' },
  MixedProtocolLBService: { '1.27': 'ga' },
  MultiCIDRRangeAllocator: { '1.27': 'alpha' },
  MultiCIDRServiceAllocator: { '1.27': 'alpha' },
  NetworkPolicyStatus: { '1.27': 'alpha' },
  NewVolumeManagerReconstruction: { '1.27': 'beta' },
  NodeInclusionPolicyInPodTopologySpread: { '1.27': 'beta' },
  NodeLogQuery: { '1.27': 'alpha' },
  NodeOutOfServiceVolumeDetach: { '1.27': 'beta' },
  NodeSwap: { '1.27': 'alpha' },
  OpenAPIEnums: { '1.27': 'beta' },
  OpenAPIV3: { '1.27': 'ga' },
  PDBUnhealthyPodEvictionPolicy: { '1.27': 'beta' },
  PodAndContainerStatsFromCRI: { '1.27': 'alpha' },
  PodDeletionCost: { '1.27': 'beta' },
  PodDisruptionConditions: { '1.27': 'beta' },
  PodHasNetworkCondition: { '1.27': 'alpha' },
  PodSchedulingReadiness: { '1.27': 'beta' },
  PodSecurity: { '1.27': 'ga' },
  ProbeTerminationGracePeriod: { '1.27': 'beta' },
  ProcMountType: { '1.27': 'alpha' },
  ProxyTerminatingEndpoints: { '1.27': 'beta' },
  QOSReserved: { '1.27': 'alpha' },
  ReadWriteOncePod: { '1.27': 'beta' },
  RecoverVolumeExpansionFailure: { '1.27': 'alpha' },
  RemainingItemCount: { '1.27': 'beta' },
  RemoveSelfLink: { '1.27': 'ga' },
  RetroactiveDefaultStorageClass: { '1.27': 'beta' },
  RotateKubeletServerCertificate: { '1.27': 'beta' },
  SeccompDefault: { '1.27': 'ga' },
  SecurityContextDeny: { '1.27': 'alpha' },
  SELinuxMountReadWriteOncePod: { '1.27': 'beta' },
  ServerSideApply: { '1.27': 'ga' },
  ServerSideFieldValidation: { '1.27': 'ga' },
  ServiceInternalTrafficPolicy: { '1.27': 'ga' },
  ServiceIPStaticSubrange: { '1.27': 'ga' },
  ServiceNodePortStaticSubrange: { '1.27': 'alpha' },
  SizeMemoryBackedVolumes: { '1.27': 'beta' },
  StableLoadBalancerNodeSet: { '1.27': 'beta' },
  StatefulSetAutoDeletePVC: { '1.27': 'beta' },
  StatefulSetStartOrdinal: { '1.27': 'beta' },
  StorageVersionAPI: { '1.27': 'alpha' },
  StorageVersionHash: { '1.27': 'beta' },
  TopologyAwareHints: { '1.27': 'beta' },
  TopologyManager: { '1.27': 'ga' },
  TopologyManagerPolicyAlphaOptions: { '1.27': 'alpha' },
  TopologyManagerPolicyBetaOptions: { '1.27': 'betaOff' },
  TopologyManagerPolicyOptions: { '1.27': 'alpha' },
  UnauthenticatedHTTP2DOSMitigation: { '1.27': 'betaOff' },
  UserNamespacesStatelessPodsSupport: { '1.27': 'alpha' },
  ValidatingAdmissionPolicy: { '1.27': 'alpha' },
  VolumeCapacityPriority: { '1.27': 'alpha' },
  WatchBookmark: { '1.27': 'ga' },
  WatchList: { '1.27': 'alpha' },
  WindowsHostNetwork: { '1.27': 'alphaOn' },
  WindowsHostProcessContainers: { '1.27': 'ga' },
  WinDSR: { '1.27': 'alpha' },
  WinOverlay: { '1.27': 'beta' },
};
