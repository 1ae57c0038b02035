/** The pages of `docs/` in the order of the sidebar. A test holds the list complete. */

/** A part of the sidebar. */
export interface Part {
  readonly title: string;
  readonly groups: readonly Group[];
}

/** Pages of a part that belong together. */
export interface Group {
  /** Absent if the part has no other group. */
  readonly title?: string;
  /** Names of files in `docs/`, without `.md`. */
  readonly pages: readonly string[];
}

export const parts: readonly Part[] = [
  { title: 'Start', groups: [{ pages: ['install', 'init', 'dev', 'console', 'naming', 'objects'] }] },
  {
    title: 'Guides',
    groups: [
      {
        title: 'Define kinds',
        pages: ['definitions', 'relations', 'validators', 'custom-resources', 'import', 'virtual'],
      },
      {
        title: 'Change kinds',
        pages: ['versions', 'diff', 'lifecycle', 'releases', 'migration', 'convert', 'conversion-webhook'],
      },
      {
        title: 'Use the API',
        pages: [
          'generate',
          'sdk',
          'sdk-cache',
          'sdk-connections',
          'sdk-dynamic',
          'watch',
          'browsers',
          'other-languages',
        ],
      },
      {
        title: 'Add behaviour',
        pages: [
          'handlers',
          'admission',
          'webhooks',
          'policies',
          'controllers',
          'writing-controllers',
          'workloads',
          'mounting',
          'aggregation',
          'backends',
          'emitters',
        ],
      },
      { title: 'Test', pages: ['test-server', 'envtest'] },
      {
        title: 'Run a server',
        pages: ['serve', 'workers', 'deploy', 'doctor', 'audit', 'fairness', 'traces', 'profiles'],
      },
      {
        title: 'Store objects',
        pages: ['storage', 'storage-etcd', 'storage-postgres', 'storage-unstorage', 'storage-transfer', 'encryption'],
      },
      {
        title: 'Let people in',
        pages: [
          'people',
          'login',
          'identity-providers',
          'authentication',
          'authorization',
          'access',
          'certificates',
          'pod-security',
        ],
      },
    ],
  },
  {
    title: 'Reference',
    groups: [
      { pages: ['flags', 'configuration', 'diagnostics', 'metrics', 'formats', 'protobuf', 'cel', 'completion'] },
    ],
  },
  {
    title: 'How it works',
    groups: [
      {
        pages: [
          'architecture',
          'security',
          'stability',
          'versioning',
          'conformance',
          'testing',
          'benchmarks',
          'diff-upgrades',
          'built-with',
        ],
      },
    ],
  },
];
