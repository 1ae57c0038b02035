/** Behaviours of services, volumes, roles and other built-in kinds that have no pods. */

/** By name, sorted. */
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
