/** The services that requests share: what a server hands to all of them. */
import type { AuthorizationAttributes, Authorizer, Follow, Observer, Store, UserInfo } from '../contract/index.js';
import type { ServedResource } from '../resource/served-resource.js';

/** The services that the stages share over all requests. */
export interface PipelineServices {
  readonly store: Store;
  /** Keeps parts of the server up with the store. */
  readonly follow: Follow;
  /** Finds a served resource by group and plural, in the version objects are stored in. */
  readonly resource: (group: string, plural: string) => ServedResource | undefined;
  /** Decides which user may do what. */
  readonly authorizer: Authorizer;
  readonly authorize: (attributes: AuthorizationAttributes) => boolean | Promise<boolean>;
  readonly featureEnabled: (gate: string) => boolean;
  /** Told of what has been done, for metrics. */
  readonly observer?: Observer;
  /** A random UUID, version 4. */
  readonly newUid: () => string;
  /** Random characters for generated names. */
  readonly nameSuffix: () => string;
}

/** Under whose name they go. */
export const itself: UserInfo = {
  name: 'system:apiserver',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

/** The field manager that owns what they write. */
export const ownManager = 'kube-apiserver';
