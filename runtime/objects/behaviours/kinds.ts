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
      'Annotations of volumes and claims that became fields are warned about, and so are ways of reclaiming that came out of use.',
  },
  decisionsExcludedTogether: {
    introduced: '1.34',
    about: 'That a certificate signing request is both approved and denied is an error of the list of conditions.',
  },
  driverChangesCounted: {
    introduced: '1.29',
    about: 'Each change of the spec of a CSIDriver makes a new generation.',
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
  growthByResource: {
    introduced: '1.28',
    about: 'Claims say of each resource how far it has grown; the platform has no resource but storage that grows.',
  },
  missingRolesAsBindings: {
    introduced: '1.32',
    about: 'A binding to a role that is not there is a 404 of bindings, not of roles.',
  },
  mountableSecretsDeprecated: {
    introduced: '1.32',
    about: 'The annotation of a service account that limits the secrets of its pods is warned about.',
  },
  nodeAgentPortsExposed: {
    introduced: '1.29',
    about: 'Load balancers may expose the port of the node agents.',
  },
  resizesInfeasible: {
    introduced: '1.31',
    about: 'Claims report growth that failed for good as infeasible.',
  },
  resourcesInTargets: {
    introduced: '1.30',
    about: 'The column of targets of autoscalers names the resource.',
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
    about: 'A CSIDriver that asks for tokens without a place for them is warned about.',
  },
  trafficToSameZone: {
    introduced: '1.34',
    about: 'Services may prefer endpoints of the same zone or node; the older word for close ones is warned about.',
  },
  trustBundlePublished: {
    introduced: '1.33',
    about: 'A ClusterTrustBundle has the certificates of servers with TLS, if such objects are served.',
  },
  vainFieldsOfServices: {
    introduced: '1.33',
    about: 'Fields of a service that its type ignores are warned about.',
  },
} as const;
