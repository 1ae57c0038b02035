/** Behaviours of pods, and of the workloads that have templates of pods. */

/** By name, sorted. */
export const podBehaviours = {
  addressPairs: {
    introduced: '1.33',
    about:
      'In the status of a pod, invalid addresses may stay if they do not change; a repeated address has one error, not two.',
  },
  addressesOfNodes: {
    introduced: '1.29',
    about: 'Environment variables can have all addresses of the node.',
  },
  appArmorFields: {
    introduced: '1.30',
    about: 'AppArmor profiles are fields of pods; the server copies them to the annotations, and warns about those.',
  },
  cephVolumesDeprecated: {
    introduced: '1.28',
    about: 'The server warns about volumes of CephFS and RBD.',
  },
  claimNamesByPath: {
    introduced: '1.36',
    about: 'Errors about the name of a claim in the status of a pod have the path of the name, not of its entry.',
  },
  claimsByName: {
    introduced: '1.31',
    about: 'Pods name their claims and templates without a source; errors name the claim.',
  },
  containersRestartAlone: {
    introduced: '1.35',
    about: 'Each container may have a restart policy of its own, and rules by exit code.',
  },
  exactHostAliases: {
    introduced: '1.33',
    about: 'Errors about entries of the hosts file name the entry, and addresses have the usual words.',
  },
  exactTolerationErrors: {
    introduced: '1.34',
    about: 'Errors about a toleration print its value; in RuntimeClasses, they say which toleration is wrong.',
  },
  gatedSince: {
    introduced: '1.34',
    about: 'The condition of pods that wait for their gates has a time.',
  },
  hiddenVariablesWarned: {
    introduced: '1.29',
    about: 'Warnings about environment variables that hide others have other words.',
  },
  hostPortsOfPodsOnly: {
    introduced: '1.28',
    about: 'On the host network, container ports get a host port in pods but not in templates.',
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
    about: 'Node affinity may only require values that labels can have.',
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
    about: 'LimitRanges check a pod by its own resources if it has any, else by the sum over its containers.',
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
    about: 'A refused eviction says when the budget allows no eviction although it has enough healthy pods.',
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
    about: 'The server warns about container ports that are defined more than once.',
  },
  replacementsOfPods: {
    introduced: '1.29',
    about: 'Jobs say when a new pod replaces an old one.',
  },
  selectorsOfNothingWarned: {
    introduced: '1.30',
    about: 'The server warns about affinities and topology spreads without a label selector.',
  },
  sidecars: {
    introduced: '1.28',
    about: 'Init containers may have probes if they always restart; errors say so.',
  },
  suspendedJobsResize: {
    introduced: '1.36',
    about: 'Requests, limits and placement of a suspended job may change, even if it has run before.',
  },
  sysctlsOfNodeRefused: {
    introduced: '1.29',
    about: 'Pods that share a namespace of the node may not change its kernel parameters.',
  },
  unmaskedForOwnUsers: {
    introduced: '1.30',
    about: 'Only pods with their own users may see all files of processes.',
  },
  variablesFromFiles: {
    introduced: '1.35',
    about: 'Environment variables can come from files of a volume; errors list this source.',
  },
  wholeSecretsLimited: {
    introduced: '1.30',
    about: 'Service accounts that limit secrets also limit the secrets in `envFrom`.',
  },
  zeroSleeps: {
    introduced: '1.33',
    about: 'A lifecycle handler may wait for zero seconds.',
  },
  zonesInSchedulesRefused: {
    introduced: '1.29',
    about: 'New schedules of cron jobs have no time zone.',
  },
} as const;
