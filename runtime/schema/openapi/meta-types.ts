/** The types that every API shares: metadata, lists, options, statuses, discovery. Their ids come from `naming.ts`. */
import type { Schema } from '../../contract/index.js';
import {
  always,
  flag,
  int32,
  int64,
  kindOf,
  list,
  object,
  objectMeta,
  shared,
  since,
  text,
  textMap,
  texts,
} from './meta-fields.js';

/** The group versions of a shared type in `x-kubernetes-group-version-kind`. */
export type MetaKind = 'core' | 'every-group-version' | { readonly group: string; readonly version: string };

export interface MetaType {
  readonly schema: Schema;
  /** The schema in OpenAPI 3, if Swagger 2.0 cannot express it. */
  readonly schemaV3?: Schema;
  /** Absent for types that are only parts of other types. */
  readonly kind?: MetaKind;
}

const quantityText = 'A decimal number with an optional suffix: `500m`, `2Gi`, `1e3`. A string, or a plain number.';
const intOrStringText = 'An integer or a string.';

/** Fields of the version about the emulated release. */
const emulated = Object.fromEntries(
  ['emulationMajor', 'emulationMinor', 'minCompatibilityMajor', 'minCompatibilityMinor'].map((field) => [
    field,
    since('1.33', { type: 'string' }),
  ]),
);

const types: Readonly<Record<string, MetaType>> = {
  APIGroup: {
    kind: 'core',
    schema: kindOf(
      'A group, its versions and the preferred version.',
      {
        name: text('Name of the group.'),
        preferredVersion: always(shared('GroupVersionForDiscovery', 'Version that the server prefers.')),
        serverAddressByClientCIDRs: list(
          'Addresses to reach the server by, for clients of certain networks.',
          shared('ServerAddressByClientCIDR'),
        ),
        versions: list('Versions that are served.', shared('GroupVersionForDiscovery')),
      },
      ['name', 'versions'],
    ),
  },
  APIGroupList: {
    kind: 'core',
    schema: kindOf('The groups that are served.', { groups: list('The groups.', shared('APIGroup')) }, ['groups']),
  },
  APIResource: {
    schema: object(
      'A resource or subresource, and what can be done with it.',
      {
        categories: texts('Groups of resources it belongs to, as in `all`.'),
        group: text('Group of its kind, if it is not the group of the list.'),
        kind: text('Kind of its objects.'),
        name: text('Plural name, followed by the subresource if it is one.'),
        namespaced: flag('Whether its objects are in namespaces.'),
        shortNames: texts('Abbreviations of the name.'),
        singularName: text('Singular name.'),
        storageVersionHash: text('Hash that changes with the storage version of the objects.'),
        verbs: { description: 'Request verbs that are served.', type: 'array', items: { type: 'string' } },
        version: text('Version of its kind, if it is not the version of the list.'),
      },
      ['name', 'singularName', 'namespaced', 'kind', 'verbs'],
    ),
  },
  APIResourceList: {
    kind: 'core',
    schema: kindOf(
      'The resources of a group version.',
      {
        groupVersion: text('The group version.'),
        resources: list('Its resources and subresources.', shared('APIResource')),
      },
      ['groupVersion', 'resources'],
    ),
  },
  APIVersions: {
    kind: 'core',
    schema: kindOf(
      'The versions of the core group.',
      {
        serverAddressByClientCIDRs: list(
          'Addresses to reach the server by, for clients of certain networks.',
          shared('ServerAddressByClientCIDR'),
        ),
        versions: texts('Versions that are served.'),
      },
      ['versions', 'serverAddressByClientCIDRs'],
    ),
  },
  Condition: {
    schema: object(
      'One aspect of the current state.',
      {
        lastTransitionTime: shared('Time', 'When the status last changed.'),
        message: text('Details for people.'),
        observedGeneration: int64('Generation of the object that the condition was set from.'),
        reason: text('Why the condition is so, as one CamelCase word.'),
        status: text('`True`, `False` or `Unknown`.'),
        type: text('Which aspect it is, in CamelCase.'),
      },
      ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
    ),
  },
  DeleteOptions: {
    kind: 'every-group-version',
    schema: kindOf('How to delete.', {
      dryRun: texts('`All` does everything except the deletion.'),
      gracePeriodSeconds: int64('Seconds until the object is removed; 0 is at once.'),
      ignoreStoreReadErrorWithClusterBreakingPotential: since(
        '1.32',
        flag('Removes an object that cannot be read, without finalizers and preconditions. Refused for others.'),
      ),
      orphanDependents: flag('Replaced by `propagationPolicy`.'),
      preconditions: shared('Preconditions', 'What must be true of the object. Otherwise the answer is a conflict.'),
      propagationPolicy: text('What happens to dependents: `Orphan`, `Background` or `Foreground`.'),
    }),
  },
  FieldsV1: {
    schema: {
      description:
        'A set of fields as a tree: `f:` names a field, `k:` a list item by its keys, `v:` one by its value.',
      type: 'object',
    },
  },
  GroupVersionForDiscovery: {
    schema: object(
      'A version of a group.',
      { groupVersion: text('Group and version.'), version: text('The version alone.') },
      ['groupVersion', 'version'],
    ),
  },
  Info: {
    schema: object(
      'Version of the server and its build.',
      {
        ...emulated,
        ...Object.fromEntries(
          [
            'buildDate',
            'compiler',
            'gitCommit',
            'gitTreeState',
            'gitVersion',
            'goVersion',
            'major',
            'minor',
            'platform',
          ].map((field) => [field, { type: 'string' }]),
        ),
      },
      ['major', 'minor', 'gitVersion', 'gitCommit', 'gitTreeState', 'buildDate', 'goVersion', 'compiler', 'platform'],
    ),
  },
  LabelSelector: {
    schema: {
      ...object('Selects objects by their labels; all of its parts must hold. Empty selects everything.', {
        matchExpressions: list('Requirements on labels.', shared('LabelSelectorRequirement')),
        matchLabels: textMap('Labels that must have exactly these values.'),
      }),
      'x-kubernetes-map-type': 'atomic',
    },
  },
  LabelSelectorRequirement: {
    schema: object(
      'A requirement on one label.',
      {
        key: {
          ...text('Label the requirement is about.'),
          'x-kindforge-before': {
            '1.28': { 'x-kubernetes-patch-merge-key': 'key', 'x-kubernetes-patch-strategy': 'merge' },
          },
        },
        operator: text('`In`, `NotIn`, `Exists` or `DoesNotExist`.'),
        values: texts('Values for `In` and `NotIn`; none for the others.'),
      },
      ['key', 'operator'],
    ),
  },
  ListMeta: {
    schema: object('Metadata of a list.', {
      continue: text('Token that asks for the next chunk; empty at the end.'),
      remainingItemCount: int64('How many items follow this chunk.'),
      resourceVersion: text('Version of the state the list shows; a watch can start from it.'),
      selfLink: text('No longer filled in.'),
      shardInfo: since('1.36', shared('ShardInfo', 'The part of all objects that the list has.')),
    }),
  },
  ShardInfo: {
    schema: object('A part of all objects.', { selector: text('Selects the objects of the part.') }, ['selector']),
  },
  ManagedFieldsEntry: {
    schema: object('What one manager owns.', {
      apiVersion: text('Version in which the fields are named.'),
      fieldsType: text('Format of `fieldsV1`; always `FieldsV1`.'),
      fieldsV1: shared('FieldsV1', 'The fields.'),
      manager: text('Name of the manager.'),
      operation: text('`Apply` or `Update`.'),
      subresource: text('Subresource the change came through; empty for the object itself.'),
      time: shared('Time', 'When the manager last changed what it owns.'),
    }),
  },
  MicroTime: {
    schema: { description: 'A time in RFC 3339 with microseconds.', type: 'string', format: 'date-time' },
  },
  ObjectMeta: { schema: objectMeta },
  OwnerReference: {
    schema: {
      ...object(
        'An object that another one depends on, in the same namespace or cluster-wide.',
        {
          apiVersion: text('Group and version of the owner.'),
          blockOwnerDeletion: flag('Whether a foreground deletion of the owner waits for this object.'),
          controller: flag('Whether the owner manages this object.'),
          kind: text('Kind of the owner.'),
          name: text('Name of the owner.'),
          uid: text('UID of the owner.'),
        },
        ['apiVersion', 'kind', 'name', 'uid'],
      ),
      'x-kubernetes-map-type': 'atomic',
    },
  },
  Patch: {
    schema: { description: 'A change in one of the patch formats. The media type names the format.', type: 'object' },
  },
  Preconditions: {
    schema: object('What must be true before an object is deleted.', {
      resourceVersion: text('Resource version it must have.'),
      uid: text('UID it must have.'),
    }),
  },
  ServerAddressByClientCIDR: {
    schema: object(
      'Address of the server for clients of one network.',
      {
        clientCIDR: text('Network of the clients.'),
        serverAddress: text('Address of the server: host, or host and port.'),
      },
      ['clientCIDR', 'serverAddress'],
    ),
  },
  Status: {
    kind: 'core',
    schema: kindOf('Outcome of a request that does not answer with an object.', {
      code: int32('HTTP status code.'),
      details: shared('StatusDetails', 'Details of the outcome for programs.'),
      message: text('The outcome in words.'),
      metadata: always(shared('ListMeta', 'Metadata of a list.')),
      reason: text('Why the request failed, as one word.'),
      status: text('`Success` or `Failure`.'),
    }),
  },
  StatusCause: {
    schema: object('One of the causes of a failure.', {
      field: text('Path of the field, as in `spec.ports[0].name`.'),
      message: text('The cause in words.'),
      reason: text('The cause as one word.'),
    }),
  },
  StatusDetails: {
    schema: object('Details of a failure.', {
      causes: list('The causes, if there are several.', shared('StatusCause')),
      group: text('Group of the resource.'),
      kind: text('Kind or resource of the failure.'),
      name: text('Name of the object.'),
      retryAfterSeconds: int32('Seconds to wait before trying again.'),
      uid: text('UID of the object.'),
    }),
  },
  Time: { schema: { description: 'A time in RFC 3339 with seconds.', type: 'string', format: 'date-time' } },
  WatchEvent: {
    kind: 'every-group-version',
    schema: object(
      'One change of a watched resource.',
      {
        object: shared('RawExtension', 'The object after the change, before it for `DELETED`; a Status for `ERROR`.'),
        type: text('`ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK` or `ERROR`.'),
      },
      ['type', 'object'],
    ),
  },
  RawExtension: { schema: { description: 'An object of any kind.', type: 'object' } },
  Quantity: {
    schema: { description: quantityText, type: 'string' },
    schemaV3: { description: quantityText, oneOf: [{ type: 'string' }, { type: 'number' }] },
  },
  IntOrString: {
    schema: { description: intOrStringText, type: 'string', format: 'int-or-string' },
    schemaV3: {
      description: intOrStringText,
      format: 'int-or-string',
      oneOf: [{ type: 'integer' }, { type: 'string' }],
    },
  },
};

const scaleType = (name: string, description: string): Schema => ({
  description,
  'x-kindforge-type': `autoscaling/v1#/${name}`,
});

const scaleTypes: Readonly<Record<string, MetaType>> = {
  Scale: {
    kind: { group: 'autoscaling', version: 'v1' },
    schema: kindOf('The current and the desired number of replicas of an object.', {
      metadata: always(shared('ObjectMeta', 'Metadata of the scaled object.')),
      spec: always(scaleType('ScaleSpec', 'What should be.')),
      status: always(scaleType('ScaleStatus', 'What is.')),
    }),
  },
  ScaleSpec: { schema: object('The desired scale.', { replicas: int32('Desired number of replicas.') }) },
  ScaleStatus: {
    schema: object(
      'The current scale.',
      {
        replicas: int32('Current number of replicas.'),
        selector: text('Label selector that the replicas match, in query form.'),
      },
      ['replicas'],
    ),
  },
};

/** The shared types by `<library>#/<Name>`. They replace definitions of a library with the same name. */
export const metaTypes: ReadonlyMap<string, MetaType> = new Map([
  ...Object.entries(types).map(([name, type]) => [`meta/v1#/${name}`, type] as const),
  ...Object.entries(scaleTypes).map(([name, type]) => [`autoscaling/v1#/${name}`, type] as const),
]);
