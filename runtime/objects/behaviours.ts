/** Behaviours of the server that differ between releases, and that no definition can say. */

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

/** By name, sorted. */
export const behaviours = {
  addressParentsByName: {
    introduced: '1.29',
    about: 'IPAddresses name their services without a UID.',
  },
  applyChecksKindFirst: {
    introduced: '1.34',
    about: 'An apply of another kind or version is refused before anything else about it is checked.',
  },
  canonicalAddressWords: {
    introduced: '1.33',
    about: 'Errors about names of IPAddresses say the canonical form.',
  },
  conversionAuthoritiesChecked: {
    introduced: '1.31',
    about: 'The caBundle of a conversion webhook must be readable: before a definition is served, and in its updates.',
  },
  decisionsExcludedTogether: {
    introduced: '1.34',
    about: 'That a certificate signing request is both approved and denied is an error of the list of conditions.',
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
  exemptPriorityLevels: {
    introduced: '1.28',
    about: 'Priority levels of type Exempt reserve and lend shares; errors about types of levels have other words.',
  },
  finalizersOfCustomResourcesAdvised: {
    introduced: '1.28',
    about: 'Custom resources with a new finalizer without a domain are warned about.',
  },
  jsonInFieldErrors: {
    introduced: '1.34',
    about: 'Field errors print values as JSON, count bytes, and have other words for names that are too long.',
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
  nameFormats: {
    introduced: '1.34',
    machinery: true,
    about: 'Schemas of definitions may have the formats `k8s-short-name` and `k8s-long-name`.',
  },
  numberFormats: {
    introduced: '1.35',
    machinery: true,
    about: 'Numbers of custom resources are held against the formats `int32`, `int64` and `float`.',
  },
  podGenerations: {
    introduced: '1.33',
    about: 'Pods have a generation, which counts changes of their spec.',
  },
  rolesCheckedOnce: {
    introduced: '1.35',
    about: 'Each error of an updated role or binding is listed once.',
  },
  statusLeavesOwnersOfMetadata: {
    introduced: '1.36',
    about: 'Writers of the status of a custom resource do not come to own metadata.',
  },
  statusOfPoliciesByController: {
    introduced: '1.28',
    about: 'The types of policies are checked by a controller, so not if no controllers are chosen.',
  },
  structuredServerPages: {
    introduced: '1.35',
    about: 'The pages /statusz and /flagz are also served as objects.',
  },
  valuesInRuleErrors: {
    introduced: '1.35',
    about: 'Errors of broken rules print texts, numbers and booleans, and no types.',
  },
  tokensInSecretsAdvised: {
    introduced: '1.35',
    about: 'A CSIDriver that asks for tokens without a place for them is warned about.',
  },
  tokenRequestsOfAccounts: {
    introduced: '1.30',
    about: 'The answer to a TokenRequest has the UID of its service account.',
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
  withoutUnsetTimestamps: {
    introduced: '1.34',
    about: 'Metadata without a time of creation leaves it out, rather than null.',
  },
} as const satisfies Readonly<Record<string, BehaviourLife>>;

/** The name of a behaviour. */
export type Behaviour = keyof typeof behaviours;
