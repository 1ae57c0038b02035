/** Behaviours of requests, custom resources and policies. */

/** By name, sorted. */
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
