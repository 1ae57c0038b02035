/** Behaviours of the server that differ between releases, and that no definition can say. */
import { kindBehaviours } from './behaviours/kinds.js';
import { podBehaviours } from './behaviours/pods.js';
import { serverBehaviours } from './behaviours/server.js';

/** The releases with a behaviour, and its description. */
export interface BehaviourLife {
  /** The first release with it. */
  readonly introduced: string;
  /** The first release without it. */
  readonly removed?: string;
  /** Whether it is part of the machinery for custom resources, which is the latest if no release is emulated. */
  readonly machinery?: true;
  /** A sentence about the server, for `kindforge releases` and the docs. */
  readonly about: string;
}

<<<<<<< HEAD
/** By name. A row belongs in the file of the kinds that it is about. */
export const behaviours = { ...kindBehaviours, ...podBehaviours, ...serverBehaviours } as const;
=======
/** By name, sorted. */
export const behaviours = {
  addressesOfNodes: {
    introduced: '1.29',
    about: 'Environment variables can have all addresses of the node.',
  },
  addressParentsByName: {
    introduced: '1.29',
    about: 'IPAddresses name their services without a UID.',
  },
  appArmorFields: {
    introduced: '1.30',
    about: 'AppArmor profiles are fields of pods; the annotations get the same value, and are warned about.',
  },
  appliedClassesStay: {
    introduced: '1.34',
    about: 'A claim may give up its class of volume attributes until a class has been applied.',
  },
  applyChecksKindFirst: {
    introduced: '1.34',
    about: 'An apply of another kind or version is refused before anything else about it is checked.',
  },
  attributesOfClaims: {
    introduced: '1.29',
    about: 'Errors about changed claims say that the class of volume attributes may change.',
  },
  balancerModes: {
    introduced: '1.30',
    about: 'Each address of a load balancer says how traffic arrives.',
  },
  balancersOnlyInStatus: {
    introduced: '1.29',
    about: 'Only services of type LoadBalancer have entry points in their status.',
  },
  canonicalAddressWords: {
    introduced: '1.33',
    about: 'Errors about names of IPAddresses say the canonical form.',
  },
  cephVolumesDeprecated: {
    introduced: '1.28',
    about: 'Volumes of CephFS and RBD are warned about.',
  },
  claimsByName: {
    introduced: '1.31',
    about: 'Pods name their claims and templates without a source; errors name the claim.',
  },
  classAnnotationsWarned: {
    introduced: '1.31',
    about:
      'Annotations of volumes and claims that became fields are warned about, and so are ways of reclaiming that came out of use.',
  },
  containersRestartAlone: {
    introduced: '1.35',
    about: 'Each container may have a restart policy of its own, and rules by exit code.',
  },
  conversionAuthoritiesChecked: {
    introduced: '1.31',
    about: 'The caBundle of a conversion webhook must be readable: before a definition is served, and in its updates.',
  },
  decisionsExcludedTogether: {
    introduced: '1.34',
    about: 'That a certificate signing request is both approved and denied is an error of the list of conditions.',
  },
  directivesWithoutTarget: {
    introduced: '1.28',
    about: 'Strategic merge patches may replace or delete an object that is not there.',
  },
  discoveryV2: {
    introduced: '1.30',
    about: 'Discovery in one document has version v2.',
  },
  driverChangesCounted: {
    introduced: '1.29',
    about: 'Each change of the spec of a CSIDriver makes a new generation.',
  },
  emulationInVersion: {
    introduced: '1.33',
    about: 'The document of /version names the emulated release and the oldest one that it is compatible with.',
  },
  enumsBlockRules: {
    introduced: '1.29',
    about: 'Rules of definitions are not checked if the schema has an enum without the value.',
  },
  exactAddressWarnings: {
    introduced: '1.33',
    about: 'Warnings about odd spellings of addresses give the canonical one.',
  },
  exactHostAliases: {
    introduced: '1.33',
    about: 'Errors about entries of the hosts file name the entry, and addresses have the usual words.',
  },
  exactSourceRanges: {
    introduced: '1.33',
    about: 'Errors about source ranges of load balancers name each range.',
  },
  exactTolerationErrors: {
    introduced: '1.34',
    about: 'Errors about the value of a toleration print the value, and those of RuntimeClasses name the toleration.',
  },
  exemptPriorityLevels: {
    introduced: '1.28',
    about: 'Priority levels of type Exempt reserve and lend shares; errors about types of levels have other words.',
  },
  externalAddressesDeprecated: {
    introduced: '1.36',
    about: 'Services with external addresses are warned about.',
  },
  externalPolicyOfAddresses: {
    introduced: '1.28',
    about: 'Services with external addresses may have a policy for traffic from outside.',
  },
  finalizersOfCustomResourcesAdvised: {
    introduced: '1.28',
    about: 'Custom resources with a new finalizer without a domain are warned about.',
  },
  gatedSince: {
    introduced: '1.34',
    about: 'The condition of pods that wait for their gates has a time.',
  },
  hiddenVariablesWarned: {
    introduced: '1.29',
    about: 'Environment variables that hide others are warned about in other words.',
  },
  hostPortsOfPodsOnly: {
    introduced: '1.28',
    about: 'On the network of the node, ports get a port of the node in pods but not in templates.',
  },
  initContainersResize: {
    introduced: '1.36',
    about: 'Requests and limits of init containers that end can be changed.',
  },
  jobStatusChecked: {
    introduced: '1.32',
    about: 'The status of a job changes by rules that every controller must keep.',
  },
  jobsUnmarked: {
    introduced: '1.28',
    about: 'Jobs have no annotation that says how their pods are counted.',
  },
  jsonInFieldErrors: {
    introduced: '1.34',
    about: 'Field errors print values as JSON, count bytes, and have other words for names that are too long.',
  },
  keysOfItemsMayMiss: {
    introduced: '1.36',
    about: 'Applied items of lists need one of several keys; validation says which others are required.',
  },
  labelKeysMerged: {
    introduced: '1.31',
    about: 'Affinities of new pods select the values of the labels that they have in common with other pods.',
  },
  labelKeysOfSpreadMerged: {
    introduced: '1.34',
    about: 'Topology spread of new pods selects the values of the labels that they have in common with other pods.',
  },
  labelsOfBindings: {
    introduced: '1.35',
    about: 'Labels of a binding are added to the pod.',
  },
  labelValuesOfNodes: {
    introduced: '1.33',
    about: 'The affinity to nodes may only require values that labels can have.',
  },
  laterExpressions: {
    introduced: '1.28',
    machinery: true,
    about: 'Rules of definitions may use the libraries and fields that came after 1.27.',
  },
  laterPolicies: {
    introduced: '1.28',
    machinery: true,
    about: 'Policies have variables, `namespaceObject`, later libraries, and parameters by selector.',
  },
  listsFromMemory: {
    introduced: '1.34',
    about: 'Lists that name a future revision get a time to retry, and one that goes on at any revision comes whole.',
  },
  metricNamesEscaped: {
    introduced: '1.31',
    about: 'The media type of /metrics says how names are escaped.',
  },
  missingBeforeUid: {
    introduced: '1.33',
    about: 'A replacement of an object that is not there is a 404, even with a uid.',
  },
  missingRolesAsBindings: {
    introduced: '1.32',
    about: 'A binding to a role that is not there is a 404 of bindings, not of roles.',
  },
  missingScalesAsObjects: {
    introduced: '1.33',
    about: 'The scale of an object that is not there is a 404 of the object, without its subresource.',
  },
  mountableSecretsDeprecated: {
    introduced: '1.32',
    about: 'The annotation of a service account that limits the secrets of its pods is warned about.',
  },
  nameFormats: {
    introduced: '1.34',
    machinery: true,
    about: 'Schemas of definitions may have the formats `k8s-short-name` and `k8s-long-name`.',
  },
  nodeAgentPortsExposed: {
    introduced: '1.29',
    about: 'Load balancers may expose the port of the node agents.',
  },
  numberFormats: {
    introduced: '1.35',
    machinery: true,
    about: 'Numbers of custom resources are held against the formats `int32`, `int64` and `float`.',
  },
  ownUsersWithoutDevices: {
    introduced: '1.34',
    about: 'Pods with their own users may not use block devices; errors about their users have other words.',
  },
  podGenerations: {
    introduced: '1.33',
    about: 'Pods have a generation, which counts changes of their spec.',
  },
  podLimitsSummed: {
    introduced: '1.34',
    about: 'LimitRanges judge pods by their own resources, and else by the sum of what their containers say.',
  },
  podsResize: {
    introduced: '1.33',
    about: 'Requests and limits of running pods can be changed.',
  },
  podsResizeAsWhole: {
    introduced: '1.36',
    about: 'Requests and limits of whole pods can be changed.',
  },
  reasonsOfBudgets: {
    introduced: '1.32',
    about: 'A refused eviction says if the budget allows none although it has enough healthy pods.',
  },
  relaxedSearches: {
    introduced: '1.33',
    about: 'DNS search paths may have underscores, or be a single dot.',
  },
  relaxedVariableNames: {
    introduced: '1.32',
    about: 'Names of environment variables are any printable text without an equals sign.',
  },
  repeatedPortsWarned: {
    introduced: '1.31',
    about: 'Ports of containers that several definitions have are warned about.',
  },
  replacementsOfPods: {
    introduced: '1.29',
    about: 'Jobs say when a new pod replaces an old one.',
  },
  resourcesInTargets: {
    introduced: '1.30',
    about: 'The column of targets of autoscalers names the resource.',
  },
  rolesCheckedOnce: {
    introduced: '1.35',
    about: 'Each error of an updated role or binding is listed once.',
  },
  selectorsOfNothingWarned: {
    introduced: '1.30',
    about: 'Affinities and spreads of pods without a label selector are warned about.',
  },
  serviceNamesAsLabels: {
    introduced: '1.36',
    about: 'Names of services may begin with a digit.',
  },
  sidecars: {
    introduced: '1.28',
    about: 'Init containers may have probes if they always restart; errors say so.',
  },
  statusLeavesOwnersOfMetadata: {
    introduced: '1.36',
    about: 'Writers of the status of a custom resource do not come to own metadata.',
  },
  statusOfPoliciesByController: {
    introduced: '1.28',
    about: 'The types of policies are checked by a controller, so not if no controllers are chosen.',
  },
  strictAddresses: {
    introduced: '1.36',
    about: 'New addresses and blocks are refused unless all software reads them the same way.',
  },
  structuredServerPages: {
    introduced: '1.35',
    about: 'The pages /statusz and /flagz are also served as objects.',
  },
  suspendedJobsResize: {
    introduced: '1.36',
    about: 'Requests, limits and places of a suspended job may change, even if it has run before.',
  },
  sysctlsOfNodeRefused: {
    introduced: '1.29',
    about: 'Pods that share a namespace of the node may not change its kernel parameters.',
  },
  tokenRequestsOfAccounts: {
    introduced: '1.30',
    about: 'The answer to a TokenRequest has the UID of its service account.',
  },
  tokensInSecretsAdvised: {
    introduced: '1.35',
    about: 'A CSIDriver that asks for tokens without a place for them is warned about.',
  },
  trafficToSameZone: {
    introduced: '1.34',
    about: 'Services that prefer close endpoints are told to prefer those of the same zone.',
  },
  trustBundlePublished: {
    introduced: '1.33',
    about: 'A ClusterTrustBundle has the certificates of servers with TLS, if such objects are served.',
  },
  unknownFormatsAdvised: {
    introduced: '1.35',
    machinery: true,
    about: 'A definition with a format that is not known is warned about.',
  },
  unmaskedForOwnUsers: {
    introduced: '1.30',
    about: 'Only pods with their own users may see all files of processes.',
  },
  vainFieldsOfServices: {
    introduced: '1.33',
    about: 'Fields of a service that its type ignores are warned about.',
  },
  valuesInRuleErrors: {
    introduced: '1.35',
    about: 'Errors of broken rules print texts, numbers and booleans, and no types.',
  },
  variablesFromFiles: {
    introduced: '1.35',
    about: 'Environment variables can come from files of a volume; errors list this source.',
  },
  wholeSecretsLimited: {
    introduced: '1.30',
    about: 'Accounts that limit secrets also limit the secrets that give containers all their variables.',
  },
  withoutUnsetTimestamps: {
    introduced: '1.34',
    about: 'Metadata without a time of creation leaves it out, rather than null.',
  },
  zeroSleeps: {
    introduced: '1.33',
    about: 'A lifecycle handler may wait for zero seconds.',
  },
  zonesInSchedulesRefused: {
    introduced: '1.29',
    about: 'New schedules of cron jobs have no time zone.',
  },
} as const satisfies Readonly<Record<string, BehaviourLife>>;
>>>>>>> h-rest

/** The name of a behaviour. */
export type Behaviour = keyof typeof behaviours;
