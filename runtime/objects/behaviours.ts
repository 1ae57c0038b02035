/** Behaviours of the server that differ between releases, if no definition can express them. */
import { podBehaviours } from './pod-behaviours.js';

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

/** Behaviours of services, volumes, roles and other built-in kinds that have no pods. By name, sorted. */
export const kindBehaviours = {
  addressParentsByName: {
    introduced: '1.29',
    about: 'IPAddresses name their services without a UID.',
  },
  appliedClassesStay: {
    introduced: '1.34',
    about: 'A claim may give up its class of volume attributes until a class has been applied.',
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
  classAnnotationsWarned: {
    introduced: '1.31',
    about:
      'The server warns about annotations of volumes and claims that became fields, and about outdated reclaim policies.',
  },
  decisionsExcludedTogether: {
    introduced: '1.34',
    about: 'If a certificate signing request is both approved and denied, the error is at the list of conditions.',
  },
  driverChangesCounted: {
    introduced: '1.29',
    about: 'Each change of the spec of a CSIDriver increments the generation.',
  },
  exactAddressWarnings: {
    introduced: '1.33',
    about: 'Warnings about odd spellings of addresses give the canonical one.',
  },
  exactSourceRanges: {
    introduced: '1.33',
    about: 'Errors about source ranges of load balancers name each range.',
  },
  exemptPriorityLevels: {
    introduced: '1.28',
    about: 'Priority levels of type Exempt reserve and lend shares; errors about the type of a level have other words.',
  },
  externalAddressesDeprecated: {
    introduced: '1.36',
    about: 'The server warns about services with external addresses.',
  },
  externalPolicyOfAddresses: {
    introduced: '1.28',
    about: 'Services with external addresses may have a policy for traffic from outside.',
  },
  growthByResource: {
    introduced: '1.28',
    about: 'Claims report the resize of each resource; of the resources in the platform, only storage can grow.',
  },
  missingRolesAsBindings: {
    introduced: '1.32',
    about: 'A binding to a role that does not exist is a 404 of bindings, not of roles.',
  },
  mountableSecretsDeprecated: {
    introduced: '1.32',
    about: 'The server warns about the annotation of a service account that limits the secrets of its pods.',
  },
  nodeAgentPortsExposed: {
    introduced: '1.29',
    about: 'Load balancers may expose the port of the node agents.',
  },
  resizesInfeasible: {
    introduced: '1.31',
    about: 'Claims report a resize that cannot succeed as infeasible.',
  },
  resourcesInTargets: {
    introduced: '1.30',
    about: 'The targets column of autoscalers names the resource.',
  },
  rolesCheckedOnce: {
    introduced: '1.35',
    about: 'Each error of an updated role or binding is listed once.',
  },
  serviceNamesAsLabels: {
    introduced: '1.36',
    about: 'Names of services may begin with a digit.',
  },
  strictAddresses: {
    introduced: '1.36',
    about: 'New addresses and blocks are refused unless all software reads them the same way.',
  },
  tokenRequestsOfAccounts: {
    introduced: '1.30',
    about: 'The answer to a TokenRequest has the UID of its service account.',
  },
  tokensInSecretsAdvised: {
    introduced: '1.35',
    about: 'The server warns about a CSIDriver that asks for tokens but does not say where to put them.',
  },
  trafficToSameZone: {
    introduced: '1.34',
    about:
      'Services may prefer endpoints of the same zone or node; the server warns about the older word for close endpoints.',
  },
  trustBundlePublished: {
    introduced: '1.33',
    about: 'A ClusterTrustBundle has the certificates of TLS servers, if the server serves this kind.',
  },
  vainFieldsOfServices: {
    introduced: '1.33',
    about: 'The server warns about fields of a service that its type ignores.',
  },
} as const;

/** Behaviours of requests, custom resources and policies. By name, sorted. */
export const serverBehaviours = {
  applyChecksKindFirst: {
    introduced: '1.34',
    about: 'The server refuses an apply of another kind or version before it checks anything else.',
  },
  conversionAuthoritiesChecked: {
    introduced: '1.31',
    about: 'The caBundle of a conversion webhook must be readable: before a definition is served, and in its updates.',
  },
  directivesWithoutTarget: {
    introduced: '1.28',
    about: 'Strategic merge patches may replace or delete an object that does not exist.',
  },
  discoveryV2: {
    introduced: '1.30',
    about: 'Discovery in one document has version v2.',
  },
  emulationInVersion: {
    introduced: '1.33',
    about: 'The document of /version names the emulated release and the oldest one that it is compatible with.',
  },
  enumsBlockRules: {
    introduced: '1.29',
    about: 'Rules of definitions are not checked if the schema has an enum without the value.',
  },
  finalizersOfCustomResourcesAdvised: {
    introduced: '1.28',
    about: 'The server warns about custom resources with a new finalizer without a domain.',
  },
  jsonInFieldErrors: {
    introduced: '1.34',
    about: 'Field errors print values as JSON, count bytes, and have other words for names that are too long.',
  },
  keysOfItemsMayMiss: {
    introduced: '1.36',
    about: 'Applied items of lists need one of several keys; validation says which others are required.',
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
    about: 'Lists that name a future revision get a time to retry; a continued list at any revision ignores the limit.',
  },
  metricNamesEscaped: {
    introduced: '1.31',
    about: 'The media type of /metrics says how names are escaped.',
  },
  missingBeforeUid: {
    introduced: '1.33',
    about: 'A replacement of an object that does not exist is a 404, even with a uid.',
  },
  missingScalesAsObjects: {
    introduced: '1.33',
    about: 'The scale of an object that does not exist is a 404 of the object, without its subresource.',
  },
  nameFormats: {
    introduced: '1.34',
    machinery: true,
    about: 'Schemas of definitions may have the formats `k8s-short-name` and `k8s-long-name`.',
  },
  numberFormats: {
    introduced: '1.35',
    machinery: true,
    about: 'Numbers of custom resources are checked against the formats `int32`, `int64` and `float`.',
  },
  statusLeavesOwnersOfMetadata: {
    introduced: '1.36',
    about: 'Writers of the status of a custom resource do not become owners of metadata.',
  },
  statusOfPoliciesByController: {
    introduced: '1.28',
    about: 'A controller checks the types of policies, so without controllers nothing does.',
  },
  structuredServerPages: {
    introduced: '1.35',
    about: 'The pages /statusz and /flagz are also served as objects.',
  },
  undecodablePatchesAreFailures: {
    introduced: '1.34',
    about:
      'A patch of a webhook that cannot be decoded is a failure of the webhook, which its failure policy may ignore.',
  },
  unknownFormatsAdvised: {
    introduced: '1.35',
    machinery: true,
    about: 'The server warns about a definition with an unknown format.',
  },
  valuesInRuleErrors: {
    introduced: '1.35',
    about: 'Errors of broken rules print texts, numbers and booleans, and no types.',
  },
  withoutUnsetTimestamps: {
    introduced: '1.34',
    about: 'Metadata without a time of creation leaves it out, rather than null.',
  },
} as const;

/** All behaviours, by name. Add a row to the table that it belongs to. */
export const behaviours = { ...kindBehaviours, ...podBehaviours, ...serverBehaviours } as const satisfies Readonly<
  Record<string, BehaviourLife>
>;

/** The name of a behaviour. */
export type Behaviour = keyof typeof behaviours;
