/** The user as which the server makes its own writes. */
import type { UserInfo } from '../contract/index.js';

/** Under whose name they go. */
export const itself: UserInfo = {
  name: 'system:apiserver',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

/** The field manager that owns what they write. */
export const ownManager = 'kube-apiserver';
